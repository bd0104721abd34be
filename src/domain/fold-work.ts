import type { Judged, Prepared, TurnFinished, Verified } from "./event.ts";
import { contradict, outOfOrder, type Fold } from "./fold.ts";
import { runsMax, turnsOfRunMax, type Policy } from "./policy.ts";
import { afterTurn, afterVerification, isJudgeable, type RunFacts } from "./run-end.ts";
import type { Round } from "./verdict.ts";

export function takePrepared(fold: Fold, event: Prepared): Fold {
  const { at, approval } = fold;
  const may = at.kind === "preflighted" && at.result === "ok" && (approval === "not-needed" || approval === "granted");
  return may ? { ...fold, prepared: event, at: { kind: "prepared" } } : outOfOrder(fold);
}

export function takeTurn(fold: Fold, event: TurnFinished, policy: Policy): Fold {
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

export function takeVerified(fold: Fold, event: Verified, policy: Policy): Fold {
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

export function takeJudged(fold: Fold, event: Judged): Fold {
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
