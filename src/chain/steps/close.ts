import type { Announced, Closed } from "../../domain/event.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { checkConclusion } from "../../domain/publication.ts";
import type { Step } from "../../domain/step.ts";
import { editComment } from "../../github/comment.ts";
import { addLabels } from "../../github/label.ts";
import { checkOutput } from "../../text/check-output.ts";
import { marker } from "../../text/markers.ts";
import { progressComment } from "../../text/progress-comment.ts";
import { completeCheckRun } from "../check-run.ts";
import { leave } from "../../text/leave.ts";
import type { StepContext } from "../step-context.ts";

/** Put on an item where a person must act; taken off when a new chain starts. */
export const needsHumanLabel = "gavel:needs-human";

/** The closing steps: they come whatever happened before, a cancel included. */
export async function close(context: StepContext, step: Extract<Step, { kind: "close" }>): Promise<Closed> {
  const { deps, chain, github, trigger } = context;
  const view = { ...context.view, outcome: step.outcome };
  await deps.progress.finish(chain);
  await closeOpenCheck(context, step.outcome);
  if (needsPerson(step.outcome)) await addLabels(github, trigger.item.number, [needsHumanLabel]);
  const announced = context.events.find((event): event is Announced => event.kind === "announced");
  if (typeof announced?.commentId === "number") {
    await editComment(github, announced.commentId, marker("progress", chain), leave(deps, progressComment(view)));
  }
  await deps.records.endChain(chain, step.outcome);
  return { kind: "closed", outcome: step.outcome };
}

/** A check that was opened on a pull request's head and got no verdict: it must not stay open, nor open the way. */
async function closeOpenCheck(context: StepContext, outcome: Outcome): Promise<void> {
  const head = context.view.preflight?.headCommit ?? null;
  if (head === null || context.view.published?.checkRunId != null) return;
  const shown = outcome === "cancelled" ? "cancelled" : outcome === "stale" ? "superseded" : "NOT_RUN";
  const conclusion = checkConclusion(shown, context.pinned.rules.judge.errorConclusion);
  await completeCheckRun(context, head, conclusion, checkOutput({ ...context.view, outcome }, null));
}

function needsPerson(outcome: Outcome): boolean {
  switch (outcome) {
    case "needs-work":
    case "blocked":
    case "red":
    case "failed":
    case "question":
      return true;
    case "passed":
    case "no-change":
    case "cancelled":
    case "stale":
      return false;
  }
}
