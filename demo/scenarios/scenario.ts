import type { Recorded } from "../recording.ts";

/** What the demo plays: an issue, and what the recorded model answers to everything that follows from it. */
export interface Scenario {
  readonly title: string;
  readonly body: string;
  readonly recorded: readonly Recorded[];
}
