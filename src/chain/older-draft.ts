import type { Published } from "../domain/event.ts";
import { findOrPostComment } from "../github/comment.ts";
import { marker } from "../text/markers.ts";
import { supersededComment } from "../text/report-comment.ts";
import { leave } from "../text/leave.ts";
import type { StepContext } from "./step-context.ts";

/** An older draft of ours for the same item gets one comment that names the new pull request. Nothing of it is changed. */
export async function linkOlderDraft(context: StepContext, opened: { number: number }): Promise<void> {
  const { deps, trigger, chain } = context;
  const before = await deps.records.chainBefore(chain);
  if (before === null) return;
  const events = await deps.records.readEvents(before);
  const published = events
    .map(({ event }) => event)
    .findLast((event): event is Published => event.kind === "published");
  const older = published?.pullRequest ?? null;
  if (older === null || !older.draft || older.number === opened.number) return;
  await findOrPostComment(context.github, {
    issue: older.number,
    marker: marker("superseded", chain),
    body: leave(deps, supersededComment(chain, trigger.item.number, opened.number)),
  });
}
