import type {
  Approved,
  ChainEvent,
  ChainStarted,
  Closed,
  Judged,
  Prepared,
  Published,
  StepFailed,
  TurnFinished,
  Verified,
} from "./event.ts";
import { closeTriesMax, runsMax, turnsOfRunMax, type Policy } from "./policy.ts";
import { publishableTree } from "./publishable-tree.ts";
import { afterTurn, afterVerification, isJudgeable, type RunFacts } from "./run-end.ts";
import type { At, Contradiction, Situation } from "./situation.ts";
import type { Round } from "./verdict.ts";

/** What the fold carries besides the situation's own fields. */
interface Fold {
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

const nothingYet: Fold = {
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

/**
 * Folds the record of a chain into what a decision may depend on. Never throws: facts that can not be true together
 * are a contradiction, which stays.
 *
 * It asks only whether the order is possible, never whether today's rules would have decided so: a record that
 * yesterday's rules made must stay readable.
 */
export function summarise(events: readonly ChainEvent[], policy: Policy): Situation {
  const fold = events.reduce((before, event) => take(before, event, policy), nothingYet);
  return {
    chain: fold.started?.trigger.kind ?? "implement",
    contradiction: fold.started === null ? "event-out-of-order" : fold.contradiction,
    stopRequested: fold.stopRequested,
    approval: fold.approval,
    budget: fold.budget,
    runs: fold.runs,
    mayRevise: fold.runs <= policy.maxRevisions,
    draft: publishableTree(events) === null ? "impossible" : "possible",
    lastVerdict: fold.judged?.round.verdict ?? null,
    at: fold.at,
  };
}

function take(fold: Fold, event: ChainEvent, policy: Policy): Fold {
  if ((fold.started === null) !== (event.kind === "chain-started")) return contradict(fold, "event-out-of-order");
  switch (event.kind) {
    case "chain-started": {
      const needed = event.approval === "needed" || policy.approval === "needed";
      return { ...fold, started: event, approval: needed ? "missing" : "not-needed" };
    }
    // What comes from outside may come at any time.
    case "approved":
      return fold.approval === "missing" && !isOwnApproval(fold, event) ? { ...fold, approval: "granted" } : fold;
    case "approval-refused":
      return fold.approval === "missing" ? { ...fold, approval: "refused" } : fold;
    case "stop-requested":
      return { ...fold, stopRequested: true };
    case "budget-spent":
      return { ...fold, budget: "spent" };
    // What follows is the answer to a step.
    case "announced":
      return fold.at.kind === "start" ? { ...fold, at: { kind: "announced" } } : outOfOrder(fold);
    case "preflighted": {
      const result = event.problems.length === 0 ? "ok" : "problems";
      return fold.at.kind === "announced" ? { ...fold, at: { kind: "preflighted", result } } : outOfOrder(fold);
    }
    case "prepared":
      return takePrepared(fold, event);
    case "turn-finished":
      return takeTurn(fold, event, policy);
    case "verified":
      return takeVerified(fold, event, policy);
    case "judged":
      return takeJudged(fold, event);
    case "published":
      return takePublished(fold, event);
    case "step-failed":
      return takeFailure(fold, event);
    case "closed":
      return takeClosed(fold, event);
  }
  // A record may hold what a newer version wrote: reachable in spite of the types.
  return contradict(fold, "unknown-event");
}

/** The first contradiction stays: what follows from it explains nothing. */
function contradict(fold: Fold, contradiction: Contradiction): Fold {
  return { ...fold, contradiction: fold.contradiction ?? contradiction };
}

function outOfOrder(fold: Fold): Fold {
  return contradict(fold, "event-out-of-order");
}

/** Nobody approves what they asked for themselves. */
function isOwnApproval(fold: Fold, { by }: Approved): boolean {
  return fold.started?.trigger.person.login.toLowerCase() === by.login.toLowerCase();
}

function takePrepared(fold: Fold, event: Prepared): Fold {
  const { at, approval } = fold;
  const may = at.kind === "preflighted" && at.result === "ok" && (approval === "not-needed" || approval === "granted");
  return may ? { ...fold, prepared: event, at: { kind: "prepared" } } : outOfOrder(fold);
}

function takeTurn(fold: Fold, event: TurnFinished, policy: Policy): Fold {
  const { prepared } = fold;
  if (event.run > Math.min(runsMax, policy.maxRevisions + 1)) return contradict(fold, "third-run");
  if (prepared === null || fold.started?.trigger.kind !== "implement") return outOfOrder(fold);
  const begins = event.run === fold.runs + 1;
  if (begins ? !mayBegin(fold, event) : !mayContinue(fold, event)) {
    const disguised = event.run === runsMax && fold.runs === runsMax && event.purpose !== "fix-gates";
    return contradict(fold, disguised ? "third-run" : "event-out-of-order");
  }
  if (event.startTree !== (fold.turn?.tree ?? prepared.baseTree)) return outOfOrder(fold);
  const turns = (begins ? 0 : fold.turns) + 1;
  const startTries = (begins ? 0 : fold.startTries) + (event.end === "could-not-start" ? 1 : 0);
  const mended = event.purpose === "fix-gates" && event.end === "completed" ? 1 : 0;
  const next: Fold = {
    ...fold,
    turn: event,
    runs: event.run,
    turns,
    startTries,
    fixTurns: (begins ? 0 : fold.fixTurns) + mended,
  };
  return { ...next, at: afterTurn(event, factsOf(next, prepared), policy) };
}

function mayBegin({ at }: Fold, event: TurnFinished): boolean {
  if (event.run === 1) return at.kind === "prepared" && event.purpose === "write";
  return (at.kind === "fixable" || at.kind === "run-ended" || at.kind === "judged") && event.purpose === "revise";
}

function mayContinue({ at, runs, turns, verified }: Fold, event: TurnFinished): boolean {
  if (event.run !== runs || turns >= turnsOfRunMax) return false;
  if (event.purpose === "fix-gates") {
    return at.kind === "fixable" || (at.kind === "run-ended" && verified?.run === event.run);
  }
  const own = event.run === 1 ? "write" : "revise";
  return at.kind === "run-ended" && at.end === "start-again" && event.purpose === own;
}

function factsOf(fold: Fold, prepared: Prepared): RunFacts {
  return {
    baseTree: prepared.baseTree,
    verification: fold.verified?.verification ?? null,
    round: fold.judged?.round ?? null,
    startTries: fold.startTries,
    fixTurns: fold.fixTurns,
  };
}

function takeVerified(fold: Fold, event: Verified, policy: Policy): Fold {
  const { at, prepared, turn } = fold;
  if (prepared === null || event.run !== fold.runs) return outOfOrder(fold);
  const next: Fold = { ...fold, verified: event };
  if (turn === null) {
    if (at.kind !== "prepared" || fold.started?.trigger.kind !== "judge") return outOfOrder(fold);
    if (event.verification.tree !== prepared.headTree) return contradict(fold, "verification-of-another-tree");
    return { ...next, at: { kind: "head-verified" } };
  }
  if (at.kind !== "wrote") return outOfOrder(fold);
  if (event.verification.tree !== turn.tree) return contradict(fold, "verification-of-another-tree");
  return { ...next, at: afterVerification(event.verification, turn, factsOf(next, prepared), policy) };
}

function takeJudged(fold: Fold, event: Judged): Fold {
  const { at, turn, prepared, verified } = fold;
  const { round } = event;
  const may = at.kind === "head-verified" || (at.kind === "run-ended" && isJudgeable(at.end));
  if (!may || event.run !== fold.runs) return outOfOrder(fold);
  const tree = turn?.tree ?? prepared?.headTree;
  if (round.binding.headTree !== tree || verified?.verification.tree !== tree) {
    return contradict(fold, "verdict-for-another-tree");
  }
  if (round.verdict === "PASS" && !isBorneOut(round)) return contradict(fold, "verdict-without-proof");
  return { ...fold, judged: event, at: { kind: "judged", verdict: round.verdict } };
}

/** The least that any version's PASS is made of: somebody required judged, all of them passed it, and saw all of it. */
function isBorneOut({ judges, uncovered }: Round): boolean {
  const required = judges.filter((judge) => judge.required);
  return required.length > 0 && required.every((judge) => judge.verdict === "PASS") && uncovered.length === 0;
}

function takePublished(fold: Fold, event: Published): Fold {
  const { at, judged } = fold;
  if (at.kind === "published") return contradict(fold, "published-twice");
  if (at.kind === "closed" || at.kind === "close-failed") return outOfOrder(fold);
  if (event.form === "ready" || event.outcome === "passed") {
    // Silence is never a pass: nothing but a PASS leads here.
    if (at.kind !== "judged" || at.verdict !== "PASS") return outOfOrder(fold);
    if (event.form === "draft" || event.form === "comment") return outOfOrder(fold);
  }
  // What was pushed as ready has to be the very tree that was passed.
  if (event.form === "ready" && event.result === "done" && event.pushedTree !== judged?.round.binding.headTree) {
    return contradict(fold, "verdict-for-another-tree");
  }
  return { ...fold, at: { kind: "published", result: event.result, outcome: event.outcome } };
}

function takeFailure(fold: Fold, { step }: StepFailed): Fold {
  if (fold.at.kind === "closed" || fold.at.kind === "close-failed") return outOfOrder(fold);
  if (step === "close") {
    // The same facts lead to the same close again, with the outcome it had.
    const closeFailures = fold.closeFailures + 1;
    return { ...fold, closeFailures, at: closeFailures < closeTriesMax ? fold.at : { kind: "close-failed" } };
  }
  const over = fold.at.kind === "published" || (fold.at.kind === "step-failed" && fold.at.step !== "work");
  // After a failed step only publishing and closing are left to fail.
  if (over || (fold.at.kind === "step-failed" && step !== "publish")) return outOfOrder(fold);
  const failed = step === "announce" || step === "publish" ? step : "work";
  return { ...fold, at: { kind: "step-failed", step: failed } };
}

function takeClosed(fold: Fold, { outcome }: Closed): Fold {
  const { at } = fold;
  if (at.kind === "closed") return outOfOrder(fold);
  const closed: Fold = { ...fold, at: { kind: "closed", outcome } };
  // Silence is never a pass: only a result that was made visible may end so.
  const shown = at.kind === "published" && at.result === "done" && at.outcome === "passed";
  return outcome === "passed" && !shown ? outOfOrder(closed) : closed;
}
