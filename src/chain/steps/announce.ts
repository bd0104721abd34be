import type { Announced } from "../../domain/event.ts";
import { findOrPostComment } from "../../github/comment.ts";
import { removeLabel } from "../../github/label.ts";
import { marker } from "../../text/markers.ts";
import { progressComment } from "../../text/progress-comment.ts";
import { leave } from "../../text/leave.ts";
import type { StepContext } from "../step-context.ts";
import { needsHumanLabel } from "./close.ts";

/** Outcomes of the chain before after which a person had to act: they have, so the label goes. */
const waited = new Set<string | null>(["needs-work", "blocked", "red", "failed", "question"]);

/** Posts the one progress comment of the chain. A locked conversation has none; the chain goes on. */
export async function announce(context: StepContext): Promise<Announced> {
  const posted = await findOrPostComment(context.github, {
    issue: context.trigger.item.number,
    marker: marker("progress", context.chain),
    body: leave(context.deps, progressComment(context.view)),
  });
  await takeLabelsOff(context);
  return { kind: "announced", commentId: posted.kind === "locked" ? null : posted.id };
}

/** The trigger label comes off at the start, so that putting it on again asks again. */
async function takeLabelsOff({ deps, chain, github, trigger }: StepContext): Promise<void> {
  const { number } = trigger.item;
  if (trigger.label !== undefined) await removeLabel(github, number, trigger.label);
  const before = await deps.records.chainBefore(chain);
  const row = before === null ? null : await deps.records.readChain(before);
  if (row !== null && waited.has(row.outcome)) await removeLabel(github, number, needsHumanLabel);
}
