import * as z from "zod";
import { type Finding, severities, summaryCharactersMax } from "../domain/finding.ts";
import type { Word } from "../domain/verdict.ts";
import { cutText } from "../text/limits.ts";
import { removeInvisible } from "../text/sanitize.ts";
import { type Answer, answerLimits, breach, type ReportReading } from "./reading.ts";

/** What a judge with structured output is asked for. Sent to the model as JSON schema, so: no key is optional. */
export const answerSchema = z.object({
  verdict: z.enum(["PASS", "NEEDS_WORK", "BLOCKED"]),
  summary: z.string().describe("One to three sentences: what the change does and why this verdict"),
  evidence: z.string().describe("What you looked at and what it shows"),
  required_fixes: z.array(z.string()).describe("What must change before a PASS; empty for PASS"),
  findings: z.array(
    z.object({
      id: z.string().describe("F1, F2 …; an earlier finding keeps its id"),
      severity: z.enum(severities),
      path: z.string().nullable().describe("File in the repository, or null"),
      line: z.number().int().nullable().describe("Line in the new version of the file, or null"),
      summary: z.string().describe(`One line, at most ${summaryCharactersMax} characters`),
      detail: z.string(),
      suggestion: z.string().nullable().describe("Replacement for the line, or null"),
    }),
  ),
});

const text = z.string().nullish();

/** What is read: more forms than are asked for, as judges that are commands write files of their own. */
const written = z.object({
  verdict: z.string(),
  summary: text,
  evidence: text,
  required_fixes: z.array(z.string()).nullish(),
  findings: z.array(z.unknown()).nullish(),
});

const writtenFinding = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  severity: text,
  path: text,
  line: z.number().nullish(),
  summary: z.string(),
  detail: text,
  suggestion: text,
});

const words: Readonly<Record<string, Word>> = {
  PASS: "PASS",
  NEEDS_WORK: "NEEDS_WORK",
  BLOCKED: "BLOCKED",
  APPROVE: "PASS",
  REQUEST_CHANGES: "NEEDS_WORK",
};

/** All paths of the judged tree; null where they are not known and only the form of a path can be checked. */
export type TreePaths = ReadonlySet<string> | null;

/** Reads a parsed JSON answer, of either form. */
export function readAnswer(value: unknown, paths: TreePaths): ReportReading {
  const parsed = written.safeParse(value);
  if (!parsed.success) return breach(`The JSON does not have the form asked for: ${firstIssue(parsed.error)}.`);
  const word = words[parsed.data.verdict.trim().toUpperCase().replaceAll(/[ -]/g, "_")];
  if (word === undefined) return breach("`verdict` must be PASS, NEEDS_WORK or BLOCKED.");
  const findings = readFindings(parsed.data.findings ?? [], paths);
  if (findings.kind === "breach") return findings;
  return checkAnswer({
    word,
    reason: "",
    summary: parsed.data.summary ?? "",
    evidence: parsed.data.evidence ?? "",
    requiredFixes: parsed.data.required_fixes ?? [],
    findings: findings.findings,
  });
}

/** The rules that hold for an answer however it was written, and the limits of its texts. */
export function checkAnswer(answer: Answer): ReportReading {
  const requiredFixes = answer.requiredFixes.map(tidy).filter((fix) => fix !== "");
  if (requiredFixes.length > answerLimits.fixesMax) {
    return breach(`There are more than ${answerLimits.fixesMax} required fixes.`);
  }
  if (answer.word === "NEEDS_WORK" && requiredFixes.length === 0 && answer.findings.length === 0) {
    return breach("The verdict is NEEDS_WORK, but there is neither a required fix nor a finding.");
  }
  const contradicted = answer.word === "PASS" && requiredFixes.length > 0;
  return {
    kind: "answer",
    answer: {
      word: contradicted ? "NEEDS_WORK" : answer.word,
      reason: contradicted ? "The judge said PASS and named required fixes; the stricter counts." : answer.reason,
      summary: tidy(answer.summary),
      evidence: tidy(answer.evidence),
      requiredFixes,
      findings: answer.findings,
    },
  };
}

export type FindingsReading =
  | { readonly kind: "findings"; readonly findings: readonly Finding[] }
  | { readonly kind: "breach"; readonly complaint: string };

/** Reads a list of findings. Where no severity is given it is major, since nobody said that it is minor. */
export function readFindings(values: readonly unknown[], paths: TreePaths): FindingsReading {
  const complain = (complaint: string): FindingsReading => ({ kind: "breach", complaint });
  if (values.length > answerLimits.findingsMax)
    return complain(`There are more than ${answerLimits.findingsMax} findings.`);
  const findings: Finding[] = [];
  const ids = new Set<string>();
  for (const [index, value] of values.entries()) {
    const place = `Finding ${index + 1}`;
    const parsed = writtenFinding.safeParse(value);
    if (!parsed.success) return complain(`${place} does not have the form asked for: ${firstIssue(parsed.error)}.`);
    const { data } = parsed;
    const id = String(data.id ?? `F${index + 1}`).trim();
    if (!/^[\w.:-]+$/.test(id) || id.length > answerLimits.idCharactersMax)
      return complain(`${place} has no usable id.`);
    if (ids.has(id)) return complain(`The id ${id} is there twice.`);
    ids.add(id);
    const severity = severities.find((known) => known === (data.severity ?? "major").trim().toLowerCase());
    if (severity === undefined) return complain(`The severity of ${id} must be blocker, major or minor.`);
    const summary = removeInvisible(data.summary).text.trim();
    if (summary === "" || summary.includes("\n") || summary.length > summaryCharactersMax) {
      return complain(`The summary of ${id} must be one line of 1 to ${summaryCharactersMax} characters.`);
    }
    const path = data.path?.trim().replace(/^(?:\.\/)+/, "") || null;
    if (path !== null && !isInside(path, paths)) return complain(`The path of ${id} is not a file of the repository.`);
    const line = data.line ?? null;
    if (line !== null && (!Number.isSafeInteger(line) || line < 1))
      return complain(`The line of ${id} is no line number.`);
    findings.push({
      id,
      severity,
      path,
      line: path === null ? null : line,
      summary,
      detail: tidy(data.detail ?? ""),
      suggestion: data.suggestion === null || data.suggestion === undefined ? null : cut(data.suggestion),
    });
  }
  return { kind: "findings", findings };
}

function isInside(path: string, paths: TreePaths): boolean {
  if (path.length > answerLimits.pathCharactersMax || /^[/\\~]|^[A-Za-z]:|\p{Cc}/u.test(path)) return false;
  if (path.split(/[/\\]/).some((part) => part === ".." || part === ".git")) return false;
  return paths === null || paths.has(path);
}

function tidy(value: string): string {
  return cut(value).trim();
}

function cut(value: string): string {
  return cutText(removeInvisible(value).text, answerLimits.textCharactersMax, "\n\n(cut)");
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "unknown" : `${issue.path.map(String).join(".") || "the whole"}: ${issue.message}`;
}
