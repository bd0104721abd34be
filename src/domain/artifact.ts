/** The implementer's own account of its work. Data, never instructions; compared with diff and gates. */
export interface Artifact {
  readonly summary: string;
  readonly filesChanged: readonly { readonly path: string; readonly reason: string }[];
  readonly testsRun: readonly string[];
  readonly expectedBehavior: string;
  readonly edgeCases: readonly string[];
  readonly risks: readonly string[];
  /** Findings that the reviser holds to be wrong. */
  readonly contested: readonly { readonly id: string; readonly why: string }[];
  readonly question: Question | null;
}

/** What only a person can decide: the question and at least two concrete readings. */
export interface Question {
  readonly question: string;
  readonly readings: readonly string[];
}

/** Where an artifact came from. Missing and malformed are different; derived is Gavel's own, from diff and gates. */
export type ArtifactReading =
  | { readonly kind: "given"; readonly artifact: Artifact }
  | { readonly kind: "missing" }
  | { readonly kind: "malformed"; readonly complaint: string };
