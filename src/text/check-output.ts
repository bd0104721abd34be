import type { Diff } from "../domain/diff.ts";
import type { Finding, Severity } from "../domain/finding.ts";
import type { ChainView } from "./chain-view.ts";
import { defang, defangLine } from "./defang.ts";
import {
  annotationMessageCharactersMax,
  annotationTitleCharactersMax,
  checkOutputCharactersMax,
  checkTitleCharactersMax,
  cutText,
} from "./limits.ts";
import {
  blocks,
  circumstancesNote,
  findingsSection,
  footer,
  gateOutputs,
  gatesSection,
  judgesTable,
} from "./sections.ts";
import { outcomeWords } from "./words.ts";

export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string;
  readonly message: string;
}

export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly CheckAnnotation[];
}

/** What the check run says. `diff` null: nothing was judged, and no line can carry an annotation. */
export function checkOutput(view: ChainView, diff: Diff | null): CheckOutput {
  const outcome = view.outcome ?? "failed";
  const round = view.round?.round ?? null;
  const gates = view.verification?.verification.gates ?? [];
  const findings = (round?.judges ?? []).flatMap((judge) => judge.findings);
  const unverified = gates.some((gate) => gate.state === "passed") ? "" : ", unverified";
  const title = round === null ? `NOT_RUN: ${outcomeWords(outcome)}` : `${round.verdict}${unverified}`;
  const summary = blocks(
    round === null ? defangLine(view.decision?.reason ?? "") : defangLine(round.reason),
    circumstancesNote(view),
    round === null ? "" : judgesTable(round.judges),
    gatesSection(gates),
    footer(view),
  );
  const text = blocks(
    findingsSection(findings, () => null),
    gateOutputs(gates),
  );
  return {
    title: cutText(title, checkTitleCharactersMax, "…"),
    summary: cutText(summary, checkOutputCharactersMax, "\n\n…"),
    text: cutText(text, checkOutputCharactersMax, "\n\n…"),
    annotations: diff === null ? [] : findings.flatMap((finding) => annotationOf(finding, diff) ?? []),
  };
}

/** GitHub takes an annotation only for a file of the change; the others stay in the text. */
function annotationOf(finding: Finding, diff: Diff): CheckAnnotation | null {
  const { path, line } = finding;
  if (path === null || line === null || line < 1) return null;
  if (!diff.files.some((file) => file.path === path && file.status !== "deleted")) return null;
  return {
    path,
    startLine: line,
    endLine: line,
    level: levelOf(finding.severity),
    title: cutText(`${finding.severity}: ${defangLine(finding.summary)}`, annotationTitleCharactersMax, "…"),
    message: cutText(
      defang(finding.detail.trim() === "" ? finding.summary : finding.detail),
      annotationMessageCharactersMax,
      "…",
    ),
  };
}

function levelOf(severity: Severity): CheckAnnotation["level"] {
  switch (severity) {
    case "blocker":
      return "failure";
    case "major":
      return "warning";
    case "minor":
      return "notice";
  }
}
