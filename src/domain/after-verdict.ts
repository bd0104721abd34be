import { outcomeOf } from "./after-run.ts";
import { canRevise, handOver, revise, unexpected } from "./hand-over.ts";
import type { Situation } from "./situation.ts";
import type { Decision } from "./step.ts";
import type { Verdict } from "./verdict.ts";

/** chain.md's judges' table: what follows the panel's verdict. */
export function afterVerdict(situation: Situation, verdict: Verdict): Decision {
  if (situation.chain === "judge") return afterHeadVerdict(situation, verdict);
  if (situation.runs === 0) return unexpected("a verdict came before any run");
  switch (verdict) {
    case "PASS":
      return situation.draft === "possible"
        ? { step: { kind: "publish", form: "ready", outcome: "passed" }, reason: "The judges passed it." }
        : unexpected("the judges passed a tree that may not be published");
    case "NEEDS_WORK":
      return canRevise(situation)
        ? revise("The judges ask for fixes: one revision.")
        : handOver(situation, "needs-work", "The judges still ask for fixes and no run is left.");
    case "BLOCKED":
      return handOver(situation, "blocked", "The judges say that a person has to decide.");
    case "ERROR":
      return handOver(situation, "blocked", "The judges gave no usable verdict.");
  }
}

/** Somebody's pull request: the verdict is shown, no code is written. */
function afterHeadVerdict(situation: Situation, verdict: Verdict): Decision {
  if (situation.runs !== 0) return unexpected("a chain that only judges had a run");
  return {
    step: { kind: "publish", form: "verdict", outcome: outcomeOf(verdict) },
    reason: verdict === "ERROR" ? "The judges gave no usable verdict." : "The judges have spoken.",
  };
}
