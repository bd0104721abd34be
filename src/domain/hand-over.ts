import type { Outcome } from "./outcome.ts";
import type { Contradiction, Situation } from "./situation.ts";
import type { Decision } from "./step.ts";

/** A draft where there is a change worth keeping, else the report as a comment. */
export function handOver(situation: Situation, outcome: Outcome, reason: string): Decision {
  const form = situation.chain === "implement" && situation.draft === "possible" ? "draft" : "comment";
  return { step: { kind: "publish", form, outcome }, reason };
}

/** The report as a comment; nothing is pushed. */
export function report(outcome: Outcome, reason: string): Decision {
  return { step: { kind: "publish", form: "comment", outcome }, reason };
}

/** Impossible facts: nothing may be built on them, so nothing is published. */
export function unexpected(what: string): Decision {
  return { step: { kind: "close", outcome: "failed" }, reason: `unexpected state: ${what}` };
}

/** What does not fit together, in words a user may see. */
export const contradictionWords: Readonly<Record<Contradiction, string>> = {
  "event-out-of-order": "an event came where it can not come",
  "third-run": "there was a run beyond the cap",
  "verdict-for-another-tree": "a verdict speaks about another tree than the one at hand",
  "verdict-without-proof": "a PASS is not borne out by its own judges",
  "verification-of-another-tree": "gates speak about another tree than the one at hand",
  "published-twice": "the result was published twice",
  "unknown-event": "the record holds an event that this version does not know",
};

/** The second run, where one is left. A third is unsayable here, whatever the other fields hold. */
export function canRevise(situation: Situation): boolean {
  return situation.runs === 1 && situation.mayRevise;
}

export function revise(reason: string): Decision {
  return { step: { kind: "turn", run: 2, purpose: "revise" }, reason };
}
