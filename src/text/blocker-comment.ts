import type { ChainView } from "./chain-view.ts";
import { defangLine } from "./defang.ts";
import { nextForPerson } from "./failure-words.ts";
import { blocks, circumstancesNote, findingsSection, footer, gateOutputs, gatesSection } from "./sections.ts";
import { count } from "./words.ts";

/** On the issue, once: what was tried, what stands in the way, and what only a person can decide. */
export function blockerComment(view: ChainView, pullRequest: { readonly number: number }): string {
  const outcome = view.outcome ?? "blocked";
  const { stage, todo } = nextForPerson(view, outcome);
  const runs = new Set(view.turns.map((turn) => turn.run)).size;
  const round = view.round?.round ?? null;
  const gates = view.verification?.verification.gates ?? [];
  const heavy = (round?.judges ?? [])
    .flatMap((judge) => judge.findings)
    .filter((finding) => finding.severity !== "minor");
  return blocks(
    "### Gavel needs a person's decision",
    `${count(runs, "run")} in ${count(view.turns.length, "turn")} were tried; ${stage}. The work so far is the draft #${pullRequest.number}.`,
    circumstancesNote(view),
    view.decision === null ? "" : defangLine(view.decision.reason),
    outcome === "red" ? blocks(gatesSection(gates), gateOutputs(gates)) : findingsSection(heavy, () => null),
    `**What to do:** ${todo}`,
    footer(view),
  );
}
