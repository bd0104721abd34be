import type { ChainStarted, Judged, Prepared, TurnFinished, Verified } from "./event.ts";
import type { At, Contradiction, Situation } from "./situation.ts";

/** What the fold carries besides the situation's own fields. */
export interface Fold {
  readonly started: ChainStarted | null;
  readonly prepared: Prepared | null;
  readonly turn: TurnFinished | null;
  readonly verified: Verified | null;
  readonly judged: Judged | null;
  readonly runs: 0 | 1 | 2;
  /** Of the run that was begun last: all its turns, its tries to start, its completed fix turns. */
  readonly turns: number;
  readonly startTries: number;
  readonly fixTurns: number;
  readonly closeFailures: number;
  readonly contradiction: Contradiction | null;
  readonly stopRequested: boolean;
  readonly approval: Situation["approval"];
  readonly budget: Situation["budget"];
  readonly at: At;
}

export const nothingYet: Fold = {
  started: null,
  prepared: null,
  turn: null,
  verified: null,
  judged: null,
  runs: 0,
  turns: 0,
  startTries: 0,
  fixTurns: 0,
  closeFailures: 0,
  contradiction: null,
  stopRequested: false,
  approval: "not-needed",
  budget: "left",
  at: { kind: "start" },
};

/** The first contradiction stays: what follows from it explains nothing. */
export function contradict(fold: Fold, contradiction: Contradiction): Fold {
  return { ...fold, contradiction: fold.contradiction ?? contradiction };
}

export function outOfOrder(fold: Fold): Fold {
  return contradict(fold, "event-out-of-order");
}
