import type { Outcome } from "./outcome.ts";

/** Why a turn is asked for. `again` repeats a write whose engine could not start. */
export type TurnPurpose = "write" | "revise" | "fix-gates";

/**
 * The form in which a chain's end is shown.
 * `ready`: a pull request that may be merged; only behind a PASS bound to its tree.
 * `draft`: a pull request that hands over to a person.
 * `comment`: the report on the issue, nothing pushed.
 * `verdict`: verdict comment and check run on somebody's pull request.
 */
export type PublicationForm = "ready" | "draft" | "comment" | "verdict";

/** What a chain does next. */
export type Step =
  | { readonly kind: "announce" }
  | { readonly kind: "preflight" }
  | { readonly kind: "await-approval" }
  | { readonly kind: "prepare" }
  | { readonly kind: "turn"; readonly run: 1 | 2; readonly purpose: TurnPurpose }
  | { readonly kind: "verify"; readonly run: 0 | 1 | 2 }
  | { readonly kind: "judge"; readonly run: 0 | 1 | 2 }
  | { readonly kind: "publish"; readonly form: PublicationForm; readonly outcome: Outcome }
  | { readonly kind: "close"; readonly outcome: Outcome }
  | { readonly kind: "end"; readonly outcome: Outcome };

/** A step with the words that explain it to a person. */
export interface Decision {
  readonly step: Step;
  readonly reason: string;
}

/** Steps that use the sandbox, a tree or a model: they wait in the fair queue and a cancel kills them. */
export function isHeavy(step: Step): boolean {
  switch (step.kind) {
    case "prepare":
    case "turn":
    case "verify":
    case "judge":
      return true;
    case "announce":
    case "preflight":
    case "await-approval":
    case "publish":
    case "close":
    case "end":
      return false;
  }
}
