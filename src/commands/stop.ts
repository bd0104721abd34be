import type { StopRequested } from "../domain/event.ts";
import type { Item, SeenAt } from "../domain/trigger.ts";
import type { GitHub } from "../github/github.ts";
import { react } from "../github/reaction.ts";
import type { CommandDeps } from "./command-deps.ts";

/** Stops what runs on an item. Where nothing runs, that is said with a reaction. */
export async function stopItem(
  deps: CommandDeps,
  github: GitHub,
  request: { readonly item: Item; readonly key: string; readonly seenAt: SeenAt; readonly stop: StopRequested },
): Promise<void> {
  const chain = await deps.records.runningChain(github.repository.id, request.item.number);
  const asked = request.stop.by !== null;
  if (chain === null) {
    if (asked) await react(github, request.seenAt, "confused");
    return;
  }
  await deps.stopChain(chain, request.key, request.stop);
  if (asked) await react(github, request.seenAt, "eyes");
}
