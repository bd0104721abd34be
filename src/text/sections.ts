import type { Diff } from "../domain/diff.ts";
import { type Finding, severities } from "../domain/finding.ts";
import type { Breach, GateResult } from "../domain/gate-result.ts";
import type { JudgeResult } from "../domain/verdict.ts";
import type { ChainView } from "./chain-view.ts";
import { defang, defangLine } from "./defang.ts";
import { fence } from "./fence.ts";
import { cutText } from "./limits.ts";
import { count, duration, gateMark, usageWords, verdictMark } from "./words.ts";

/** Files that a list of changes names; the rest are counted. */
const filesShownMax = 100;

/** Characters of a gate's output that a text shows. The whole of what was kept is on the run page. */
const gateOutputCharactersMax = 4_000;

/** Characters of the brief that a text quotes. */
const briefCharactersMax = 8_000;

/** Text as one cell of a table. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** A name or command as code, safe inside a sentence or a table's cell. */
export function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const ticks = /`/.test(line) ? "``" : "`";
  return `${ticks}${ticks === "``" ? ` ${line} ` : line}${ticks}`;
}

export function details(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** What the change consists of, counted by git; no word of it is the agent's. */
export function changesSection(diff: Diff): string {
  const rows = diff.files.slice(0, filesShownMax).map((file) => {
    const name = file.oldPath === null ? code(file.path) : `${code(file.oldPath)} → ${code(file.path)}`;
    const size = file.binary ? "binary" : `+${file.added} −${file.removed}`;
    return `| ${cell(name)} | ${file.status} | ${size} |`;
  });
  const more = diff.files.length - rows.length;
  return [
    `${count(diff.files.length, "file")}, +${diff.added} −${diff.removed}`,
    "",
    "| File | | Lines |",
    "|---|---|---|",
    ...rows,
    ...(more > 0 ? ["", `… and ${count(more, "more file")}.`] : []),
  ].join("\n");
}

/** Gates with their commands and what came of them. */
export function gatesSection(gates: readonly GateResult[]): string {
  if (gates.length === 0) return "No gate ran: nothing about this change was **verified** by a command.";
  const rows = gates.map((gate) => {
    const notes = [
      gate.state === "passed" && !gate.flaky ? "" : defangLine(gate.reason),
      gate.flaky ? "flaky: red at first, green when run again unchanged" : "",
      gate.knownRed ? "red on the base too" : "",
      gate.selfChanged ? "**its own definition was changed**" : "",
    ].filter((note) => note !== "");
    return `| ${gateMark(gate.state)} ${gate.state} | ${cell(code(gate.name))} | ${cell(code(gate.command))} | ${cell(notes.join("; "))} | ${duration(gate.seconds)} |`;
  });
  return ["| Result | Gate | Command | | Time |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Last lines of the gates that did not pass. */
export function gateOutputs(gates: readonly GateResult[]): string {
  return gates
    .filter((gate) => (gate.state === "failed" || gate.state === "broken") && gate.output.trim() !== "")
    .map((gate) =>
      details(`Last lines of ${code(gate.name)}`, fence(cutText(gate.output, gateOutputCharactersMax, "\n…"), "text")),
    )
    .join("\n\n");
}

export function breachesSection(breaches: readonly Breach[]): string {
  return breaches.map((breach) => `- ${code(breach.path)}: ${defangLine(breach.reason)}`).join("\n");
}

/** Findings by severity, each with its place; links lead to the judged lines where the caller can make them. */
export function findingsSection(findings: readonly Finding[], linkTo: (finding: Finding) => string | null): string {
  return severities
    .flatMap((severity) => {
      const some = findings.filter((finding) => finding.severity === severity);
      return some.length === 0
        ? []
        : [`**${severity}**`, ...some.map((finding) => findingItem(finding, linkTo(finding))), ""];
    })
    .join("\n")
    .trimEnd();
}

function findingItem(finding: Finding, link: string | null): string {
  const where =
    finding.path === null ? "" : code(finding.line === null ? finding.path : `${finding.path}:${finding.line}`);
  const place = where === "" ? "" : link === null ? `${where} ` : `[${where}](${link}) `;
  const detail = finding.detail.trim() === "" ? "" : `\n${indent(defang(finding.detail))}`;
  return `- ${place}${defangLine(finding.summary)}${detail}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}

/** Who judged, with which model, and what came of it. */
export function judgesTable(judges: readonly JudgeResult[]): string {
  const rows = judges.map(
    (judge) =>
      `| ${verdictMark(judge.verdict)} ${judge.verdict} | ${cell(code(judge.name))}${judge.required ? "" : " (advisory)"} | ${cell(code(judge.model))} | ${cell(defangLine(judge.reason))} |`,
  );
  return ["| Verdict | Judge | Model | |", "|---|---|---|---|", ...rows].join("\n");
}

/** The brief as it stood in the trigger: quoted as text, so that nothing in it is alive. */
export function briefSection(view: ChainView): string {
  const { brief, person, item } = view.trigger;
  const parts = [brief.title, brief.body, brief.instructions === "" ? "" : `[instructions] ${brief.instructions}`];
  const text = parts.filter((part) => part.trim() !== "").join("\n\n");
  return [
    `Asked for by ${code(person.login)} in #${item.number}. The text as it stood then:`,
    "",
    details("Brief", fence(cutText(text, briefCharactersMax, "\n…"), "text")),
  ].join("\n");
}

/** What a reader must know before believing the rest. */
export function circumstancesNote(view: ChainView): string {
  const notes = [
    view.circumstances.recordedModel ? "The model's replies in this chain were **recorded**: no model was called." : "",
    view.circumstances.isolation === "none" ? "The commands ran **without a sandbox**, by the operator's word." : "",
  ].filter((note) => note !== "");
  return notes.map((note) => `> ${note}`).join("\n>\n");
}

/** The last line of every text: what it cost and where to read on. */
export function footer(view: ChainView): string {
  const parts = [usageWords(view.usage), `chain ${code(view.chain)}`];
  if (view.circumstances.runUrl !== null) parts.push(`[run page](${view.circumstances.runUrl})`);
  return `<sub>Gavel · ${parts.join(" · ")}</sub>`;
}

/** Joins blocks with an empty line between, leaving out the empty ones. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}
