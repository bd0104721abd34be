import type { ChainEvent } from "../domain/event.ts";
import type { ChainDeps } from "./chain-deps.ts";

/** Appends an event once for its key, tells the log, and lets the progress comment follow. */
export async function recordEvent(
  deps: Pick<ChainDeps, "records" | "log" | "progress">,
  chain: string,
  key: string,
  event: ChainEvent,
): Promise<void> {
  const sequence = await deps.records.appendEvent(chain, key, event);
  deps.log.info({ chain, sequence, event }, "event");
  deps.progress.touch(chain);
}
