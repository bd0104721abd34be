import type { Outcome } from "./outcome.ts";
import type { ChainKind } from "./trigger.ts";
import type { Verdict } from "./verdict.ts";

/** How a run ended: the rows of chain.md's run table. */
export type RunEnd =
  | "green"
  | "unverified"
  | "red"
  | "red-escalated"
  | "gate-broken"
  | "policy-red"
  | "question"
  | "contested"
  | "not-moved"
  | "net-change-gone"
  /** The engine stopped in the middle, having written. */
  | "stopped-written"
  /** Could not start, wrote nothing, tries left. */
  | "start-again"
  /** Could not start, wrote nothing, no tries left. */
  | "not-started"
  /** Refused or crashed, wrote nothing. */
  | "refused";

export const runEnds: readonly RunEnd[] = [
  "green",
  "unverified",
  "red",
  "red-escalated",
  "gate-broken",
  "policy-red",
  "question",
  "contested",
  "not-moved",
  "net-change-gone",
  "stopped-written",
  "start-again",
  "not-started",
  "refused",
];

/** Facts that can not be true together. Each ends the chain as failed. */
export type Contradiction =
  | "event-out-of-order"
  | "third-run"
  | "verdict-for-another-tree"
  /** A PASS that its own judges, or the files they saw, do not bear out. */
  | "verdict-without-proof"
  | "verification-of-another-tree"
  | "published-twice"
  | "unknown-event";

export const contradictions: readonly Contradiction[] = [
  "event-out-of-order",
  "third-run",
  "verdict-for-another-tree",
  "verdict-without-proof",
  "verification-of-another-tree",
  "published-twice",
  "unknown-event",
];

/** How far the chain has come. */
export type At =
  | { readonly kind: "start" }
  | { readonly kind: "announced" }
  | { readonly kind: "preflighted"; readonly result: "ok" | "problems" }
  | { readonly kind: "prepared" }
  /** A turn left another tree than it found: gates have to speak. */
  | { readonly kind: "wrote" }
  /** Red, and a fix turn may mend it. */
  | { readonly kind: "fixable" }
  | { readonly kind: "run-ended"; readonly end: RunEnd }
  /** Pull-request chains: the gates have spoken about somebody's head. */
  | { readonly kind: "head-verified" }
  | { readonly kind: "judged"; readonly verdict: Verdict }
  | { readonly kind: "published"; readonly result: "done" | "refused" | "head-moved"; readonly outcome: Outcome }
  /** Our own trouble: in the work, in telling of its start, or in making its result visible. */
  | { readonly kind: "step-failed"; readonly step: "work" | "announce" | "publish" }
  /** Not even the closing steps could be performed, after all tries. */
  | { readonly kind: "close-failed" }
  | { readonly kind: "closed"; readonly outcome: Outcome };

/** All that a decision may depend on: enumerations and small bounded numbers, so that every case can be listed. */
export interface Situation {
  readonly chain: ChainKind;
  readonly contradiction: Contradiction | null;
  readonly stopRequested: boolean;
  readonly approval: "not-needed" | "missing" | "granted" | "refused";
  readonly budget: "left" | "spent";
  /** Runs begun so far. */
  readonly runs: 0 | 1 | 2;
  readonly mayRevise: boolean;
  /** A tree with a net change and a green policy gate exists. */
  readonly draft: "possible" | "impossible";
  /** Verdict of an earlier round, for a revision that changed nothing. */
  readonly lastVerdict: Verdict | null;
  readonly at: At;
}
