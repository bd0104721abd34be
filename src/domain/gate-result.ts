/**
 * The states of a gate. `broken` could not run (time limit, missing tool, killed) and is not `failed`;
 * `skipped` by its own `when`; `unverified` ran nothing (no command, no test). Only `passed` is green.
 */
export type GateState = "passed" | "failed" | "broken" | "skipped" | "unverified";

export const gateStates: readonly GateState[] = ["passed", "failed", "broken", "skipped", "unverified"];

/** One gate on one tree. */
export interface GateResult {
  readonly name: string;
  readonly command: string;
  readonly state: GateState;
  /** Why it is in this state, in words a user may see. */
  readonly reason: string;
  /** null where no process ended by itself. */
  readonly exitCode: number | null;
  readonly seconds: number;
  /** Head and tail of the output, sanitised, at most 4,000 characters. */
  readonly output: string;
  /** Red first, green when run once more unchanged. */
  readonly flaky: boolean;
  /** The change touches what defines this gate. */
  readonly selfChanged: boolean;
  /** Fails the same way on the base commit: reported, not blamed. */
  readonly knownRed: boolean;
}

/** The kinds of breach that the built-in policy gate knows. */
export type BreachKind =
  | "denied-path"
  | "not-allowed-path"
  | "secret"
  | "too-large"
  | "too-many"
  | "link-outside"
  | "submodule"
  | "special-file";

/** One breach of the policy gate. */
export interface Breach {
  readonly kind: BreachKind;
  readonly path: string;
  /** What is wrong and what to do, in words a user may see; never the secret itself. */
  readonly reason: string;
}

/** Everything the gates established about one tree. */
export interface Verification {
  readonly tree: string;
  readonly breaches: readonly Breach[];
  readonly gates: readonly GateResult[];
}
