import type { Decision } from "../../src/domain/step.ts";

/** A decided step as a few words, for tables: `turn 2 revise`, `publish draft red`, `close failed`. */
export function short({ step }: Decision): string {
  switch (step.kind) {
    case "announce":
    case "preflight":
    case "await-approval":
    case "prepare":
      return step.kind;
    case "turn":
      return `turn ${step.run} ${step.purpose}`;
    case "verify":
    case "judge":
      return `${step.kind} ${step.run}`;
    case "publish":
      return `publish ${step.form} ${step.outcome}`;
    case "close":
    case "end":
      return `${step.kind} ${step.outcome}`;
  }
}
