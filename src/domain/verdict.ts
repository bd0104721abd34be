import type { Finding } from "./finding.ts";

/** What a judge may say. */
export type Word = "PASS" | "NEEDS_WORK" | "BLOCKED";

/** What a judge's work amounts to. ERROR is Gavel's own word for "no usable answer". */
export type Verdict = Word | "ERROR";

export const verdicts: readonly Verdict[] = ["PASS", "NEEDS_WORK", "BLOCKED", "ERROR"];

/** What is shown where no judge was asked. */
export type ShownVerdict = Verdict | "NOT_RUN";

/** What a verdict speaks of. It may be reused only where all of it matches. */
export interface Binding {
  /** Merge base of the head and the base branch: a commit id. */
  readonly mergeBase: string;
  /** The tree that was judged: a tree id. */
  readonly headTree: string;
  /** Version of the rules and rubrics, a hash. */
  readonly rules: string;
}

/** One judge's effective verdict with everything that it is made of. */
export interface JudgeResult {
  readonly name: string;
  readonly required: boolean;
  readonly model: string;
  readonly verdict: Verdict;
  /** Why it is this verdict, in words a user may see. */
  readonly reason: string;
  readonly summary: string;
  readonly evidence: string;
  readonly requiredFixes: readonly string[];
  readonly findings: readonly Finding[];
  /** Calls to the model, re-asks and retries included. */
  readonly calls: number;
  readonly seconds: number;
}

/** One round of the panel. */
export interface Round {
  /** 1 or 2; 0 for the round that judges a pull request before its first revision. */
  readonly number: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly binding: Binding;
  readonly judges: readonly JudgeResult[];
  /** Files of the change that no judge saw and no rule of the base exempts. */
  readonly uncovered: readonly string[];
}
