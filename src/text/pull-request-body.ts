import type { Diff } from "../domain/diff.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { PublishableTree } from "../domain/publishable-tree.ts";
import type { ShownVerdict } from "../domain/verdict.ts";
import type { ChainView } from "./chain-view.ts";
import { defang, defangLine } from "./defang.ts";
import { nextForPerson } from "./failure-words.ts";
import {
  blocks,
  breachesSection,
  briefSection,
  changesSection,
  circumstancesNote,
  code,
  findingsSection,
  footer,
  gateOutputs,
  gatesSection,
  judgesTable,
} from "./sections.ts";
import { count, verdictMark } from "./words.ts";

export interface PullRequestFacts {
  readonly form: "ready" | "draft";
  /** What was pushed: gates and verdict are shown of this tree and no other. */
  readonly source: PublishableTree;
  readonly diff: Diff;
  readonly closeIssue: boolean;
  /** GitHub says that it signed the commits. */
  readonly verified: boolean;
}

/** The body of a pull request of ours. Every sentence comes from facts that Gavel measured. */
export function pullRequestBody(view: ChainView, facts: PullRequestFacts): string {
  const { trigger } = view;
  const outcome: Outcome = view.outcome ?? "failed";
  const { breaches, gates } = facts.source.verified.verification;
  const round = facts.source.judged?.round ?? null;
  const verdict: ShownVerdict = round?.verdict ?? "NOT_RUN";
  const minor = (round?.judges ?? [])
    .flatMap((judge) => judge.findings)
    .filter((finding) => finding.severity === "minor");
  return blocks(
    facts.form === "draft" ? banner(view, outcome) : "",
    circumstancesNote(view),
    `## Summary\n\n${summary(view, facts, verdict)}`,
    facts.form === "draft" ? unmet(view, facts.source) : "",
    `## Changes\n\n${changesSection(facts.diff)}`,
    `## How it was checked\n\n${blocks(
      gatesSection(gates),
      breachesSection(breaches),
      gateOutputs(gates),
      round === null
        ? `${verdictMark("NOT_RUN")} Judge: **NOT_RUN**. No judge was asked about this tree.`
        : judgesTable(round.judges),
      facts.verified ? "" : "GitHub did not sign the commits.",
    )}`,
    minor.length === 0 ? "" : `## Minor findings left\n\n${findingsSection(minor, () => null)}`,
    `## Context\n\n${briefSection(view)}`,
    facts.closeIssue && trigger.item.kind === "issue" ? `Closes #${trigger.item.number}` : "",
    footer(view),
  );
}

function banner(view: ChainView, outcome: Outcome): string {
  const { stage, todo } = nextForPerson(view, outcome);
  const why = [view.decision?.reason ?? "", ...view.obstacles].join(" ");
  return [
    "> [!WARNING]",
    `> **Not ready: ${stage}.**`,
    `> ${defangLine(why)}`,
    ">",
    `> **What to do next:** ${todo}`,
  ].join("\n");
}

function summary(view: ChainView, facts: PullRequestFacts, verdict: ShownVerdict): string {
  const runs = new Set(view.turns.map((turn) => turn.run)).size;
  const { gates } = facts.source.verified.verification;
  const later =
    view.turns.at(-1)?.tree === facts.source.tree
      ? ""
      : " Later work of this chain was cut off or broke the policy: it is not part of this branch, and is kept in the record.";
  const passed = gates.filter((gate) => gate.state === "passed").length;
  const checked =
    gates.length === 0
      ? "No gate ran, so that nothing is **verified**"
      : `${passed} of ${count(gates.length, "gate")} passed`;
  return [
    `${view.circumstances.engine} (${code(view.circumstances.implementerModel)}) worked on #${view.trigger.item.number} in ${count(runs, "run")} and changed ${count(facts.diff.files.length, "file")}.`,
    `${checked}; the judges say **${verdict}**.${later}`,
  ].join(" ");
}

/** What the last round still asks for, and the question where there is one. */
function unmet(view: ChainView, source: PublishableTree): string {
  const round = source.judged?.round ?? null;
  const fixes = (round?.judges ?? []).flatMap((judge) => judge.requiredFixes);
  const heavy = (round?.judges ?? [])
    .flatMap((judge) => judge.findings)
    .filter((finding) => finding.severity !== "minor");
  const artifact = view.turns.at(-1)?.artifact;
  const question = artifact?.kind === "given" ? artifact.artifact.question : null;
  return blocks(
    fixes.length === 0
      ? ""
      : `## Required fixes that are not met\n\n${fixes.map((fix) => `- [ ] ${defangLine(fix)}`).join("\n")}`,
    heavy.length === 0 ? "" : `## Open findings\n\n${findingsSection(heavy, () => null)}`,
    question === null ? "" : `## Question of the implementer\n\n${defang(question.question)}`,
  );
}
