/** How much a finding weighs. A blocker or a major finding turns a PASS into NEEDS_WORK; a minor one never does. */
export type Severity = "blocker" | "major" | "minor";

export const severities: readonly Severity[] = ["blocker", "major", "minor"];

/** The longest summary of a finding, in characters (product.md, "Words"). */
export const summaryCharactersMax = 200;

/** One remark of a judge. `path` and `line` are null when the remark is about the change as a whole. */
export interface Finding {
  /** Unique within one judge's answer, for example `F1`. */
  readonly id: string;
  readonly severity: Severity;
  readonly path: string | null;
  /** Line in the head version of the file, from 1. */
  readonly line: number | null;
  /** One line, at most {@link summaryCharactersMax} characters. */
  readonly summary: string;
  readonly detail: string;
  /** Replacement text for the line, or null. */
  readonly suggestion: string | null;
}
