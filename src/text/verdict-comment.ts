import type { Judged } from "../domain/event.ts";
import type { Finding } from "../domain/finding.ts";
import type { ChainView } from "./chain-view.ts";
import { defang, defangLine } from "./defang.ts";
import {
  blocks,
  breachesSection,
  circumstancesNote,
  code,
  details,
  findingsSection,
  footer,
  gatesSection,
  judgesTable,
} from "./sections.ts";
import { count, verdictMark } from "./words.ts";

/** Where the judged lines are, for links. */
export interface VerdictPlace {
  readonly headSha: string;
}

/** The one verdict comment of a chain: the last round in full, earlier rounds folded in it. */
export function verdictComment(view: ChainView, place: VerdictPlace): string {
  const last = view.round;
  const link = linker(view, place);
  const earlier = view.rounds.filter((event) => event !== last);
  if (last === null) {
    return blocks(
      `## ${verdictMark("NOT_RUN")} NOT_RUN`,
      "No judge was asked about this tree.",
      ...earlier.map((event) => foldedRound(event, link)),
      footer(view),
    );
  }
  const findings = last.round.judges.flatMap((judge) => judge.findings);
  const minor = findings.filter((finding) => finding.severity === "minor");
  const heavy = findings.filter((finding) => finding.severity !== "minor");
  const verification = view.verifications.findLast((event) => event.verification.tree === last.round.binding.headTree);
  return blocks(
    `## ${verdictMark(last.round.verdict)} ${last.round.verdict}`,
    defangLine(last.round.reason),
    circumstancesNote(view),
    summaries(last),
    requiredFixes(last),
    heavy.length === 0 ? "" : `### Findings\n\n${findingsSection(heavy, link)}`,
    minor.length === 0 ? "" : details(count(minor.length, "minor remark"), findingsSection(minor, link)),
    last.round.uncovered.length === 0
      ? ""
      : `### Not judged\n\n${last.round.uncovered.map((path) => `- ${code(path)}`).join("\n")}`,
    "### What was checked",
    judgesTable(last.round.judges),
    verification === undefined ? "" : gatesSection(verification.verification.gates),
    verification === undefined ? "" : breachesSection(verification.verification.breaches),
    `Judged: tree ${code(last.round.binding.headTree.slice(0, 12))} (commit ${code(place.headSha.slice(0, 12))}) against ${code(last.round.binding.mergeBase.slice(0, 12))}.`,
    ...earlier.map((event) => foldedRound(event, link)),
    footer(view),
  );
}

function summaries(event: Judged): string {
  return event.round.judges
    .map((judge) => judge.summary.trim())
    .filter((summary) => summary !== "")
    .map((summary) => defang(summary))
    .join("\n\n");
}

function requiredFixes(event: Judged): string {
  const fixes = event.round.judges.flatMap((judge) => (judge.required ? judge.requiredFixes : []));
  return fixes.length === 0 ? "" : `### Required fixes\n\n${fixes.map((fix) => `- [ ] ${defangLine(fix)}`).join("\n")}`;
}

function foldedRound(event: Judged, link: (finding: Finding) => string | null): string {
  const { round } = event;
  const findings = round.judges.flatMap((judge) => judge.findings);
  return details(
    `Round ${round.number}: ${round.verdict}`,
    blocks(
      defangLine(round.reason),
      summaries(event),
      requiredFixes(event),
      findingsSection(findings, link),
      judgesTable(round.judges),
    ),
  );
}

function linker(view: ChainView, place: VerdictPlace): (finding: Finding) => string | null {
  const repositoryUrl = view.trigger.brief.url.replace(/\/(?:issues|pull)\/\d+.*$/, "");
  return (finding) => {
    if (finding.path === null || !repositoryUrl.startsWith("http")) return null;
    const path = finding.path
      .split("/")
      .map(encodeURIComponent)
      .join("/")
      .replaceAll(/[()]/g, (c) => (c === "(" ? "%28" : "%29"));
    return `${repositoryUrl}/blob/${place.headSha}/${path}${finding.line === null ? "" : `#L${finding.line}`}`;
  };
}
