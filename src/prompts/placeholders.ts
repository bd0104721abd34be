/**
 * Every placeholder that a prompt may hold. A name that is not here is a slip of the pen and stops the load, so that no
 * model is ever shown a bare `${…}` and no value is left out unseen.
 */
export const placeholders = [
  /** The trigger's text, fenced as untrusted data. */
  "BRIEF",
  /** Base branch, commit, and the gates that will be run. Facts of ours, names in them fenced or quoted. */
  "BASE",
  /** The repository's own `implement.instructions`, from the base branch. */
  "INSTRUCTIONS",
  /** `## Revision brief` with the required fixes and findings, fenced as untrusted data. */
  "REVISION_BRIEF",
  /** Each failed gate with command, exit code and trimmed output, fenced as untrusted data. */
  "FAILURES",
  /** For an engine that can not continue its session: brief and diff so far, fenced. */
  "EARLIER_WORK",
  /** Why something was cut off, in our words. */
  "REASON",
  /** All that a judge is shown; untrusted pieces in it are fenced. */
  "PACKET",
  /** What was wrong with a judge's first answer: one line. */
  "COMPLAINT",
] as const;

export type Placeholder = (typeof placeholders)[number];

/** Placeholders that stand for another prompt file. */
export const partials: Readonly<Record<string, string>> = { ARTIFACT_FORMAT: "artifact" };
