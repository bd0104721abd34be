import type { Published } from "../../domain/event.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { checkConclusion } from "../../domain/publication.ts";
import { findOrPostComment } from "../../github/comment.ts";
import { readPullRequest } from "../../github/pull-request.ts";
import { checkOutput } from "../../text/check-output.ts";
import { marker } from "../../text/markers.ts";
import { verdictComment } from "../../text/verdict-comment.ts";
import { completeCheckRun } from "../check-run.ts";
import { leave } from "../../text/leave.ts";
import { preflightOf, preparedOf, type StepContext } from "../step-context.ts";

/** Verdict comment and check run on somebody's pull request, for the head that was judged and no other. */
export async function publishVerdict(context: StepContext, outcome: Outcome): Promise<Published> {
  const { github, trigger, pinned, view } = context;
  const head = preflightOf(context).headCommit ?? "";
  const now = await readPullRequest(github, trigger.item.number);
  const base = {
    kind: "published",
    form: "verdict",
    outcome,
    branch: null,
    commits: [],
    pushedTree: null,
    pullRequest: null,
  } as const;
  if (now.headSha !== head) {
    const conclusion = checkConclusion("superseded", pinned.rules.judge.errorConclusion);
    const checkRunId = await completeCheckRun(
      context,
      head,
      conclusion,
      checkOutput({ ...view, outcome: "stale" }, null),
    );
    return {
      ...base,
      result: "head-moved",
      reason: "the head moved while it was judged",
      checkRunId,
      verdictCommentId: null,
    };
  }
  const git = await context.git();
  const prepared = preparedOf(context);
  const diff = await git.diff(prepared.baseTree, prepared.headTree);
  const verdict = view.round?.round.verdict ?? "NOT_RUN";
  const conclusion = checkConclusion(verdict, pinned.rules.judge.errorConclusion);
  const checkRunId = await completeCheckRun(context, head, conclusion, checkOutput({ ...view, outcome }, diff));
  const posted = await findOrPostComment(github, {
    issue: trigger.item.number,
    marker: marker("verdict", context.chain),
    body: leave(context.deps, verdictComment({ ...view, outcome }, { headSha: head })),
  });
  return {
    ...base,
    result: "done",
    reason: "verdict comment and check run",
    checkRunId,
    verdictCommentId: posted.kind === "posted" ? posted.id : null,
  };
}
