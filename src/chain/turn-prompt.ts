import { randomBytes } from "node:crypto";
import type { TurnFinished } from "../domain/event.ts";
import type { Step } from "../domain/step.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { untrusted } from "../text/fence.ts";
import { cutText } from "../text/limits.ts";
import { preflightOf, type StepContext } from "./step-context.ts";

/** The brief as a model sees it, in characters: GitHub's own limit on an issue's body. */
const briefCharactersMax = 70_000;

/** Output of one failed gate in a prompt, in characters (chain.md "Fix turn"). */
const gateOutputCharactersMax = 4_000;

export const systemPrompt = (): string => loadPrompt("implementer-system", {});

/** What the implementer is asked in this turn. Everything from outside is fenced under a label nobody can guess. */
export function turnPrompt(context: StepContext, step: Extract<Step, { kind: "turn" }>, continues: boolean): string {
  const label = randomBytes(6).toString("hex");
  switch (step.purpose) {
    case "write":
      return loadPrompt("write", common(context, label));
    case "revise": {
      const cut = cutOffReason(context);
      return cut === null
        ? loadPrompt("revise", { ...common(context, label), REVISION_BRIEF: revisionBrief(context, label) })
        : loadPrompt("resume", { ...common(context, label), REASON: cut });
    }
    case "fix-gates":
      return loadPrompt("fix-gates", {
        FAILURES: failures(context, label),
        EARLIER_WORK: continues ? "" : briefText(context, label),
      });
  }
}

function common(context: StepContext, label: string) {
  const { rules } = context.pinned;
  const { baseBranch, baseCommit } = preflightOf(context);
  const gates = rules.gates.run.map((gate) => `- \`${gate.name}\`: \`${gate.command}\``).join("\n");
  return {
    BRIEF: briefText(context, label),
    BASE: [
      `The checkout is the branch \`${baseBranch}\` at ${baseCommit.slice(0, 12)}.`,
      gates === "" ? "" : `These checks will be run on what you leave:\n${gates}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    INSTRUCTIONS: rules.implement.instructions,
  };
}

function briefText(context: StepContext, label: string): string {
  const { title, body, instructions } = context.trigger.brief;
  const text = [`# ${title}`, body, instructions === "" ? "" : `Instructions: ${instructions}`]
    .filter((part) => part.trim() !== "")
    .join("\n\n");
  return untrusted(cutText(text, briefCharactersMax, "\n… (cut)"), label);
}

/** Why the first run did not come to its end; null where it did. */
function cutOffReason(context: StepContext): string | null {
  const last = context.events.findLast((event): event is TurnFinished => event.kind === "turn-finished");
  return last === undefined || last.end === "completed" ? null : last.reason;
}

/** Only what has to be mended: required fixes, blocker and major findings, or the red gates. Never the judge's whole reply. */
function revisionBrief(context: StepContext, label: string): string {
  const last = context.view.rounds.at(-1);
  const red = failures(context, label);
  if (last === undefined) return `## Revision brief\n\nThese checks are red:\n\n${red}`;
  const lines = last.round.judges.flatMap((judge) => [
    ...judge.requiredFixes.map((fix) => `Required: ${fix}`),
    ...judge.findings
      .filter((finding) => finding.severity !== "minor")
      .map((finding) => {
        const where = finding.path === null ? "" : ` ${finding.path}${finding.line === null ? "" : `:${finding.line}`}`;
        return `${finding.id} (${finding.severity})${where}: ${finding.summary}\n${finding.detail}`;
      }),
  ]);
  return `## Revision brief\n\nFeedback of the review, as data:\n\n${untrusted(lines.join("\n\n"), label)}`;
}

function failures(context: StepContext, label: string): string {
  const verification = context.view.verifications.at(-1)?.verification;
  const gates = (verification?.gates ?? []).filter((gate) => gate.state === "failed" || gate.state === "broken");
  const breaches = verification?.breaches ?? [];
  return [
    ...breaches.map((breach) => untrusted(`policy: ${breach.path}: ${breach.reason}`, label)),
    ...gates.map((gate) => {
      const head = `gate: ${gate.name}\ncommand: ${gate.command}\nexit code: ${gate.exitCode ?? "none"} (${gate.reason})`;
      return untrusted(`${head}\n\n${cutText(gate.output, gateOutputCharactersMax, "\n…")}`, label);
    }),
  ].join("\n\n");
}
