import type { Published } from "../../domain/event.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { findOrPostComment } from "../../github/comment.ts";
import { marker } from "../../text/markers.ts";
import { reportComment } from "../../text/report-comment.ts";
import { leave } from "../../text/leave.ts";
import type { StepContext } from "../step-context.ts";

/** Nothing is pushed: a comment says what happened, what it cost and what to do. */
export async function publishReport(context: StepContext, outcome: Outcome): Promise<Published> {
  await findOrPostComment(context.github, {
    issue: context.trigger.item.number,
    marker: marker("report", context.chain),
    body: leave(context.deps, reportComment(context.view, outcome)),
  });
  return {
    kind: "published",
    form: "comment",
    outcome,
    result: "done",
    reason: "a comment with the report",
    branch: null,
    commits: [],
    pushedTree: null,
    pullRequest: null,
    checkRunId: null,
    verdictCommentId: null,
  };
}
