import type { Published } from "../../domain/event.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { permits } from "../../domain/permission.ts";
import { checkConclusion, pullRequestTitle } from "../../domain/publication.ts";
import { publishableTree } from "../../domain/publishable-tree.ts";
import { findOrPostComment } from "../../github/comment.ts";
import { addLabels } from "../../github/label.ts";
import { askPermission } from "../../github/permission.ts";
import { findOrOpenPullRequest, requestReviewers } from "../../github/pull-request.ts";
import { pushCommits, type Pushed } from "../../github/push.ts";
import { blockerComment } from "../../text/blocker-comment.ts";
import { checkOutput } from "../../text/check-output.ts";
import { marker } from "../../text/markers.ts";
import { pullRequestBody } from "../../text/pull-request-body.ts";
import { draftsUnsupportedComment } from "../../text/report-comment.ts";
import { verdictComment } from "../../text/verdict-comment.ts";
import { completeCheckRun } from "../check-run.ts";
import { commitsToPush } from "../commits-to-push.ts";
import { leave } from "../../text/leave.ts";
import { linkOlderDraft } from "../older-draft.ts";
import { preflightOf, preparedOf, type StepContext } from "../step-context.ts";

/** Commits, branch, check run, pull request, verdict comment, labels: in this order, each found or created. */
export async function publishPullRequest(
  context: StepContext,
  form: "ready" | "draft",
  outcome: Outcome,
): Promise<Published> {
  const { github, trigger, pinned, deps, chain } = context;
  const { rules } = pinned;
  const source = publishableTree(context.events);
  if (source === null) throw new Error("nothing that may be published stands in the record");
  if (form === "ready" && source.judged?.round.verdict !== "PASS") throw new Error("no PASS is bound to this tree");

  const nothing = {
    kind: "published",
    form,
    outcome,
    branch: null,
    commits: [],
    pushedTree: null,
    pullRequest: null,
    checkRunId: null,
    verdictCommentId: null,
  } as const;
  const { permission } = await askPermission(github, trigger.person.login);
  if (!permits(permission, rules.trigger.permission)) {
    return {
      ...nothing,
      result: "refused",
      reason: `@${trigger.person.login} may not trigger any more: nothing was pushed`,
    };
  }

  const { baseBranch, baseCommit } = preflightOf(context);
  const { baseTree } = preparedOf(context);
  const git = await context.git();
  const pushed = await pushCommits(github, {
    chain,
    branch: context.branchName(),
    baseCommit,
    commits: await commitsToPush(context, source),
    readBlob: (blob) => git.readBlob(blob),
  });
  if (pushed.kind === "refused") return { ...nothing, result: "refused", reason: pushed.reason };
  if (pushed.tree !== source.tree) throw new Error(`GitHub made the tree ${pushed.tree}, not ${source.tree}`);

  const diff = await git.diff(baseTree, source.tree);
  const view = { ...context.view, outcome };
  const verdict = source.judged?.round.verdict ?? "NOT_RUN";
  const head = pushed.commits.at(-1) ?? baseCommit;
  const conclusion = checkConclusion(
    outcome === "red" ? "red" : outcome === "failed" ? "NOT_RUN" : verdict,
    rules.judge.errorConclusion,
  );
  const checkRunId = await completeCheckRun(context, head, conclusion, checkOutput(view, diff));
  const opened = await findOrOpenPullRequest(github, {
    head: pushed.branch,
    base: baseBranch,
    draft: form === "draft",
    title: leave(deps, pullRequestTitle(trigger.brief.title, { draft: form === "draft" })),
    body: leave(
      deps,
      pullRequestBody(view, { form, source, diff, closeIssue: rules.publish.closeIssue, verified: pushed.verified }),
    ),
  });
  const done = publishedOf(pushed, { ...nothing, checkRunId, reason: `${form} pull request` });
  switch (opened.kind) {
    case "drafts-unsupported": {
      const compareUrl = `${trigger.brief.url.split("/issues/")[0] ?? ""}/compare/${baseBranch}...${pushed.branch}`;
      await postOnce(context, "report", trigger.item.number, draftsUnsupportedComment(view, compareUrl));
      return { ...done, reason: "drafts are not supported here: the branch and a comment with the compare link" };
    }
    case "no-commits":
      return { ...done, outcome: "no-change", reason: "GitHub sees no commits between base and head" };
    case "refused":
      return { ...done, result: "refused", reason: opened.reason };
    case "opened":
    case "found":
      break;
  }
  const verdictCommentId =
    view.rounds.length === 0
      ? null
      : await postOnce(context, "verdict", opened.number, verdictComment(view, { headSha: head }));
  if (outcome === "red" || outcome === "blocked") {
    await postOnce(context, "blocker", trigger.item.number, blockerComment(view, opened));
  }
  if (rules.publish.labels.length > 0) await addLabels(github, opened.number, rules.publish.labels);
  if (rules.publish.reviewers.length > 0 && form === "ready")
    await requestReviewers(github, opened.number, rules.publish.reviewers);
  await linkOlderDraft(context, opened);
  return { ...done, pullRequest: { number: opened.number, draft: opened.draft, url: opened.url }, verdictCommentId };
}

function publishedOf(
  pushed: Extract<Pushed, { kind: "pushed" }>,
  rest: Omit<Published, "result" | "branch" | "commits" | "pushedTree">,
): Published {
  return { ...rest, result: "done", branch: pushed.branch, commits: pushed.commits, pushedTree: pushed.tree };
}

async function postOnce(
  context: StepContext,
  kind: "report" | "verdict" | "blocker",
  issue: number,
  body: string,
): Promise<number | null> {
  const posted = await findOrPostComment(context.github, {
    issue,
    marker: marker(kind, context.chain),
    body: leave(context.deps, body),
  });
  return posted.kind === "posted" ? posted.id : null;
}
