import type { Question } from "./artifact.ts";
import type { TurnFinished } from "./event.ts";
import { counts, isRed } from "./gate-weight.ts";
import type { Verification } from "./gate-result.ts";
import { startTriesMax, type Policy } from "./policy.ts";
import type { At, RunEnd } from "./situation.ts";
import type { Round } from "./verdict.ts";

/** What is known about a run besides its last turn. */
export interface RunFacts {
  readonly baseTree: string;
  /** The last verification of the chain, or null. */
  readonly verification: Verification | null;
  /** The last round of the panel, or null. */
  readonly round: Round | null;
  /** Turns of this run whose engine could not start, this one included. */
  readonly startTries: number;
  /** Completed turns of this run that were asked to mend gates. */
  readonly fixTurns: number;
}

/** Where a turn leaves the chain. Its tree and its end say so; its words count only for a question and for contesting. */
export function afterTurn(turn: TurnFinished, facts: RunFacts, policy: Policy): At {
  if (turn.tree !== turn.startTree) return afterMove(turn, facts);
  if (turn.purpose === "fix-gates") {
    return ended(questionOf(turn) === null ? lastSaid(facts, policy) : "question");
  }
  switch (turn.end) {
    case "completed":
      return ended(afterNoMove(turn, facts, policy));
    case "could-not-start":
      return ended(facts.startTries < startTriesMax ? "start-again" : "not-started");
    case "no-answer":
    case "refused":
    case "limit":
    case "timed-out":
    case "cancelled":
    case "crashed":
      return ended("refused");
  }
}

/** Where a verification leaves the run of `turn`: what cut the turn off and what it asked come before what gates say. */
export function afterVerification(verification: Verification, turn: TurnFinished, facts: RunFacts, policy: Policy): At {
  if (turn.end !== "completed") return ended("stopped-written");
  if (questionOf(turn) !== null) return ended("question");
  const end = verifiedEnd(verification, policy.requiredGates);
  const mendable = (end === "red" || end === "policy-red") && !isBroken(verification, policy.requiredGates);
  return mendable && facts.fixTurns < policy.fixTurnsMax ? { kind: "fixable" } : ended(end);
}

/** What a verification says about a run that goes no further. */
export function verifiedEnd(
  verification: Verification,
  requiredGates: readonly string[],
): "policy-red" | "gate-broken" | "red" | "unverified" | "green" {
  if (verification.breaches.length > 0) return "policy-red";
  if (isBroken(verification, requiredGates)) return "gate-broken";
  if (verification.gates.some((gate) => counts(gate, requiredGates) && isRed(gate))) return "red";
  const ran = verification.gates.some((gate) => gate.state === "passed" || gate.state === "failed");
  return ran ? "green" : "unverified";
}

function isBroken(verification: Verification, requiredGates: readonly string[]): boolean {
  return verification.gates.some((gate) => counts(gate, requiredGates) && gate.state === "broken");
}

/** The tree moved: gates have to speak, unless nothing is left that they could speak about. */
function afterMove(turn: TurnFinished, facts: RunFacts): At {
  if (turn.netChange && turn.tree !== facts.baseTree) return { kind: "wrote" };
  if (turn.end !== "completed") return ended("stopped-written");
  return ended(questionOf(turn) === null ? "net-change-gone" : "question");
}

function afterNoMove(turn: TurnFinished, facts: RunFacts, policy: Policy): RunEnd {
  if (questionOf(turn) !== null) return "question";
  const contests = turn.artifact.kind === "given" && turn.artifact.artifact.contested.length > 0;
  // Only a judge's findings can be contested, and only on a tree that a judge may be shown again.
  const judgeable = facts.round?.verdict === "NEEDS_WORK" && isJudgeable(lastSaid(facts, policy));
  return contests && judgeable ? "contested" : "not-moved";
}

function lastSaid(facts: RunFacts, policy: Policy): RunEnd {
  return facts.verification === null ? "not-moved" : verifiedEnd(facts.verification, policy.requiredGates);
}

/** Ends of a run whose tree goes to the judges. */
export function isJudgeable(end: RunEnd): boolean {
  return end === "green" || end === "unverified" || end === "contested";
}

function questionOf(turn: TurnFinished): Question | null {
  return turn.end === "completed" && turn.artifact.kind === "given" ? turn.artifact.artifact.question : null;
}

function ended(end: RunEnd): At {
  return { kind: "run-ended", end };
}
