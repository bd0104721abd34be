import type { GateResult, Verification } from "./gate-result.ts";

/** Whether a gate's result decides anything. With a list of required gates, the others are told, not obeyed. */
export function counts(gate: GateResult, requiredGates: readonly string[]): boolean {
  return requiredGates.length === 0 || requiredGates.includes(gate.name);
}

/** Failed by this change's doing: what fails the same way on the base commit is reported, not blamed. */
export function isRed(gate: GateResult): boolean {
  return gate.state === "failed" && !gate.knownRed;
}

/** Required gates that left no result, or ran nothing. Named required, their silence is not a pass. */
export function silentGates(verification: Verification, requiredGates: readonly string[]): readonly string[] {
  return requiredGates.filter((name) => {
    const results = verification.gates.filter((gate) => gate.name === name);
    return results.length === 0 || results.some((gate) => gate.state === "unverified");
  });
}
