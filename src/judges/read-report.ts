import type { Word } from "../domain/verdict.ts";
import { isTangled } from "../text/markdown.ts";
import { checkAnswer, readAnswer, readFindings, type TreePaths } from "./answer-schema.ts";
import { answerLimits, breach, type ReportReading } from "./reading.ts";
import { listFixes, type Report, splitReport } from "./report-sections.ts";
import { parseStrictJson } from "../domain/strict-json.ts";

const verdictWords = "PASS|NEEDS[ _-]WORK|BLOCKED";

/** The first word of the section, perhaps listed or emphasised, and what may follow it (chain.md, "Reading the text report"). */
const firstWord = new RegExp(
  String.raw`^\s*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:[*_]{1,3}|${"`"})?(${verdictWords})(?:[*_]{1,3}|${"`"})?(?=$|[\s.,:;—-])`,
  "i",
);

/** A word that makes a verdict a condition or a choice when it comes right behind it. */
const condition = /^[\s,;:—-]*(?:or|if|unless|once|provided|pending|except|assuming)\b/i;

/** Another verdict in the same line or at the start of a later one. Capitals only: "nothing needs work" is prose. */
const otherWord = /\b(PASS|FAIL|NEEDS[ _-]WORK|APPROVE|REQUEST_CHANGES)\b/g;
const laterWord = /\n[\s*_-]*(PASS|FAIL|NEEDS[ _-]WORK|APPROVE|REQUEST_CHANGES)\b/g;

/**
 * Reads a judge's reply: JSON when the whole reply is JSON (or one fence of it), else the text report. It fails closed:
 * what is not clearly a verdict is a breach, what contradicts itself is BLOCKED, and no reply is `nothing`.
 */
export function readReport(reply: string, paths: TreePaths = null): ReportReading {
  // Only whole lines are trimmed at the start: four spaces make the first one code.
  const text = reply
    .replace(/^\uFEFF/, "")
    .replace(/^(?:\s*\n)+/, "")
    .trimEnd();
  if (text === "") return { kind: "nothing" };
  if (text.length > answerLimits.replyCharactersMax) {
    return breach(`The reply is longer than ${answerLimits.replyCharactersMax} characters.`);
  }
  const json = wholeJson(text);
  if (json !== null) {
    const parsed = parseStrictJson(json);
    return parsed.kind === "value"
      ? readAnswer(parsed.value, paths)
      : breach(`The reply can not be read: ${parsed.complaint}.`);
  }
  if (isTangled(text)) return breach("The reply is too deeply nested to be read.");
  try {
    return readText(splitReport(text), paths);
  } catch {
    return breach("The reply can not be read as Markdown.");
  }
}

/** The JSON that a reply consists of, or null. With prose around it nobody knows whether it is the answer or an example. */
function wholeJson(text: string): string | null {
  const fenced = /^(`{3,}|~{3,})(?:json)?[ \t]*\n([^]*)\n\1$/i.exec(text);
  const inner = (fenced?.[2] ?? text).trim();
  return inner.startsWith("{") ? inner : null;
}

function readText(report: Report, paths: TreePaths): ReportReading {
  const [summary, second] = report.summaries;
  if (summary === undefined) return breach("There is no heading SUMMARY outside fences, quotes and comments.");
  if (report.looseFindings) return onlyBlocked(report, breach("Findings must stand in one fenced JSON list."));
  const values: unknown[] = [];
  for (const block of report.json) {
    const parsed = parseStrictJson(block);
    if (parsed.kind === "invalid")
      return onlyBlocked(report, breach(`A JSON block can not be read: ${parsed.complaint}.`));
    const list = findingsIn(parsed.value);
    if (list === "verdict") return onlyBlocked(report, breach("There is a second verdict in a JSON block."));
    values.push(...list);
  }
  const findings = readFindings(values, paths);
  if (findings.kind === "breach") return onlyBlocked(report, findings);
  const word = second === undefined ? readWord(summary) : "BLOCKED";
  if (word === null) return breach("The first word under SUMMARY is not PASS, NEEDS_WORK or BLOCKED, and only that.");
  return checkAnswer({
    word,
    reason: second === undefined ? "" : "The judge's reply has two SUMMARY headings.",
    summary: summary.replace(firstWord, "").replace(/^[\s.,:;—-]+/, ""),
    evidence: report.evidence,
    requiredFixes: listFixes(report.requiredFixes),
    findings: findings.findings,
  });
}

/** A contradiction or a readable BLOCKED is not asked about again, even where the rest of the reply is in breach. */
function onlyBlocked(report: Report, other: ReportReading): ReportReading {
  const [summary = "", second] = report.summaries;
  if (second === undefined && readWord(summary) !== "BLOCKED") return other;
  return checkAnswer({
    word: "BLOCKED",
    reason: second === undefined ? "" : "The judge's reply has two SUMMARY headings.",
    summary: summary.replace(firstWord, ""),
    evidence: report.evidence,
    requiredFixes: [],
    findings: [],
  });
}

/** The verdict that a SUMMARY section begins with, or null where it is not clear. */
function readWord(section: string): Word | null {
  const start = section.replace(/^(?:[^\S\n]*\n)+/, "");
  if (/^ {0,3}(?: {4}|\t)/.test(start)) return null;
  const line = start.split("\n", 1)[0] ?? "";
  if (/\bBLOCKED\b/.test(line) || /^[\s*_-]*BLOCKED\b/m.test(start)) return "BLOCKED";
  const match = firstWord.exec(start);
  if (match === null) return null;
  const word = toWord(match[1] ?? "");
  const rest = line.slice(match[0].length);
  const others = [...rest.matchAll(otherWord), ...start.matchAll(laterWord)].map((found) => toWord(found[1] ?? ""));
  return condition.test(rest) || others.some((other) => other !== word) ? null : word;
}

function toWord(text: string): Word {
  return text.toUpperCase().replace(/[ -]/, "_") as Word;
}

/** The findings of a JSON block; other JSON, such as a quoted configuration, holds none. */
function findingsIn(value: unknown): readonly unknown[] | "verdict" {
  if (Array.isArray(value)) return value.some(looksLikeFinding) ? value : [];
  if (typeof value !== "object" || value === null) return [];
  if ("verdict" in value) return "verdict";
  if ("findings" in value && Array.isArray(value.findings)) return value.findings;
  return looksLikeFinding(value) ? [value] : [];
}

function looksLikeFinding(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("severity" in value || "summary" in value);
}
