/** How a chain ended. Each is final. */
export type Outcome =
  | "passed"
  | "needs-work"
  | "blocked"
  | "red"
  | "failed"
  | "no-change"
  | "question"
  | "cancelled"
  | "stale";

export const outcomes: readonly Outcome[] = [
  "passed",
  "needs-work",
  "blocked",
  "red",
  "failed",
  "no-change",
  "question",
  "cancelled",
  "stale",
];
