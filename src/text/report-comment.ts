import type { Outcome } from "../domain/outcome.ts";
import type { ChainView } from "./chain-view.ts";
import { defang, defangLine } from "./defang.ts";
import { nextForPerson } from "./failure-words.ts";
import { blocks, breachesSection, circumstancesNote, code, footer, gateOutputs, gatesSection } from "./sections.ts";
import { outcomeWords } from "./words.ts";

/** The report where nothing is published: what happened, what it cost, what to do. */
export function reportComment(view: ChainView, outcome: Outcome): string {
  const { todo } = nextForPerson(view, outcome);
  const verification = view.verification?.verification ?? null;
  return blocks(
    `### ${outcome === "question" ? "Gavel has a question" : `Gavel: ${outcomeWords(outcome)}`}`,
    view.decision === null ? "" : defangLine(view.decision.reason),
    circumstancesNote(view),
    view.obstacles.map((obstacle) => `- ${defangLine(obstacle)}`).join("\n"),
    question(view, outcome),
    problems(view),
    verification === null ? "" : gatesSection(verification.gates),
    verification === null || verification.breaches.length === 0
      ? ""
      : `Nothing was pushed, because the change breaks the policy:\n\n${breachesSection(verification.breaches)}`,
    verification === null ? "" : gateOutputs(verification.gates),
    `**What to do:** ${todo}`,
    footer(view),
  );
}

function question(view: ChainView, outcome: Outcome): string {
  const artifact = view.turns.at(-1)?.artifact;
  if (outcome !== "question" || artifact?.kind !== "given" || artifact.artifact.question === null) return "";
  const { question: text, readings } = artifact.artifact.question;
  return blocks(defang(text), [...readings.map((reading) => `- ${defangLine(reading)}`), "- none of these"].join("\n"));
}

function problems(view: ChainView): string {
  const found = view.preflight?.problems ?? [];
  return found
    .map((problem) => `- ${defang(problem.message)} ${defangLine(problem.cure)} (${code(problem.code)})`)
    .join("\n");
}

/** Where drafts are not supported: the branch stands, and a person opens the pull request. */
export function draftsUnsupportedComment(view: ChainView, compareUrl: string): string {
  return blocks(
    reportComment(view, view.outcome ?? "failed"),
    `This repository does not support draft pull requests, and only a PASS gets a ready one. The work is on the branch: [compare](${compareUrl}).`,
  );
}

/** On an older draft of ours, when a newer pull request for the same issue stands. */
export function supersededComment(chain: string, issue: number, pullRequest: number): string {
  return `A newer chain (${code(chain)}) for #${issue} opened #${pullRequest}. This draft is left as it is.`;
}
