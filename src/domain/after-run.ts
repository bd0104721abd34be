import { canRevise, handOver, report, revise, unexpected } from "./hand-over.ts";
import type { Outcome } from "./outcome.ts";
import type { RunEnd, Situation } from "./situation.ts";
import type { Decision } from "./step.ts";
import type { Verdict } from "./verdict.ts";

/** chain.md's run table: what follows the end of a run. */
export function afterRun(situation: Situation, end: RunEnd): Decision {
  const { runs } = situation;
  if (situation.chain !== "implement" || runs === 0) return unexpected("a run ended that never began");
  switch (end) {
    case "green":
      return { step: { kind: "judge", run: runs }, reason: "The gates are green: now the judges." };
    case "unverified":
      return { step: { kind: "judge", run: runs }, reason: "No gate could verify anything: the judges are told." };
    case "contested":
      return {
        step: { kind: "judge", run: runs },
        reason: "The reviser contests the findings: the judges look again.",
      };
    case "red":
      return canRevise(situation)
        ? revise("The gates are still red: one revision, with the failures as its brief.")
        : handOver(situation, "red", "The gates are still red and no run is left.");
    case "red-escalated":
      return handOver(situation, "red", "The same failure came back again and again: a person has to look at it.");
    case "gate-broken":
      return handOver(situation, "failed", "A required gate could not run; the change is not to blame for that.");
    case "policy-red":
      return canRevise(situation)
        ? revise("The change breaks the policy: one revision, with the breaches as its brief.")
        : report("red", "The change still breaks the policy: nothing is pushed.");
    case "question":
      return canRevise(situation) || situation.draft === "impossible"
        ? report("question", "The implementer has a question that only a person can answer.")
        : handOver(situation, "needs-work", "The implementer has a question and no run is left.");
    case "not-moved":
      return runs === 1
        ? report("no-change", "The implementer changed nothing.")
        : afterIdleRevision(situation, situation.lastVerdict);
    case "net-change-gone":
      return report("no-change", "Nothing is left of the change.");
    case "stopped-written":
      return canRevise(situation)
        ? revise("The engine was cut off in the middle of its work: one more run goes on from there.")
        : handOver(situation, "failed", "The engine was cut off in the middle of its work and no run is left.");
    case "start-again":
      return {
        step: { kind: "turn", run: runs, purpose: runs === 1 ? "write" : "revise" },
        reason: "The engine could not start: the same run is tried again.",
      };
    case "not-started":
      return handOver(situation, "failed", "The engine could not start, after all tries.");
    case "refused":
      return handOver(situation, "failed", "The engine stopped without having changed anything.");
  }
}

/** The revision changed nothing: the first round's verdict is all there is, and it is labelled so. */
function afterIdleRevision(situation: Situation, lastVerdict: Verdict | null): Decision {
  if (lastVerdict === "PASS") return unexpected("a change that had passed was revised");
  const outcome = lastVerdict === null ? "red" : outcomeOf(lastVerdict);
  return handOver(situation, outcome, "The revision changed nothing; what was found before it still holds.");
}

/** How a chain ends that ends on this verdict. No usable verdict is a block: silence is never a pass. */
export function outcomeOf(verdict: Verdict): Outcome {
  switch (verdict) {
    case "PASS":
      return "passed";
    case "NEEDS_WORK":
      return "needs-work";
    case "BLOCKED":
    case "ERROR":
      return "blocked";
  }
}
