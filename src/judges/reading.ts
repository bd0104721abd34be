import type { Finding } from "../domain/finding.ts";
import type { Word } from "../domain/verdict.ts";

/** What a judge said, readable and consistent in form. The word is the judge's own; findings may make it stricter. */
export interface Answer {
  readonly word: Word;
  /** Set where Gavel itself read this word out of a contradiction, in words a user may see; else empty. */
  readonly reason: string;
  readonly summary: string;
  readonly evidence: string;
  readonly requiredFixes: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * What could be made of a judge's reply. `breach`: there is something, but it breaks the form; the complaint is told
 * to the judge once. `nothing`: there is no reply.
 */
export type ReportReading =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "breach"; readonly complaint: string }
  | { readonly kind: "nothing" };

/** Limits of a judge's answer. */
export const answerLimits = {
  replyCharactersMax: 200_000,
  findingsMax: 100,
  fixesMax: 50,
  idCharactersMax: 40,
  pathCharactersMax: 1_024,
  textCharactersMax: 4_000,
} as const;

export function breach(complaint: string): ReportReading {
  return { kind: "breach", complaint };
}
