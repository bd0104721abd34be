import type { ChainEvent } from "../domain/event.ts";
import type { Step } from "../domain/step.ts";
import type { ChainView } from "./chain-view.ts";
import { defangLine } from "./defang.ts";
import { blocks, cell, circumstancesNote, code, footer } from "./sections.ts";
import { count, duration, gateMark, outcomeWords, verdictMark } from "./words.ts";

interface Row {
  readonly mark: string;
  readonly what: string;
  readonly time: string;
}

/** The one comment that follows a chain: what happened, what is being done, what it cost so far. */
export function progressComment(view: ChainView): string {
  const rows = view.timeline.flatMap(({ event }) => rowOf(event) ?? []);
  const current = view.outcome === null && view.decision !== null ? currentRow(view.decision.step) : null;
  const all = current === null ? rows : [...rows, current];
  const table = all.map((row) => `| ${row.mark} | ${cell(row.what)} | ${row.time} |`);
  return blocks(
    `### ${headline(view)}`,
    reasonLine(view),
    circumstancesNote(view),
    table.length === 0 ? "" : ["| | Stage | Time |", "|---|---|---|", ...table].join("\n"),
    view.outcome === null ? "Stop it with `/cancel` or the label `gavel:stop`." : "",
    footer(view),
  );
}

function headline(view: ChainView): string {
  if (view.outcome === null)
    return view.trigger.kind === "judge" ? "Gavel is judging this pull request" : "Gavel is at work on this issue";
  const pullRequest = view.published?.pullRequest ?? null;
  if (pullRequest !== null) {
    return pullRequest.draft
      ? `Gavel opened the draft #${pullRequest.number}: ${outcomeWords(view.outcome)}`
      : `Gavel opened #${pullRequest.number}: ${outcomeWords(view.outcome)}`;
  }
  return `Gavel has finished: ${outcomeWords(view.outcome)}`;
}

function reasonLine(view: ChainView): string {
  if (view.outcome !== null) return defangLine(view.published?.why ?? view.decision?.reason ?? "");
  const { ahead } = view;
  if (ahead !== null && ahead.inAll > 0 && view.decision?.step.kind === "prepare") {
    return `Waiting for its turn: ${count(ahead.inRepository, "chain")} ahead in this repository, ${ahead.inAll} in all.`;
  }
  return view.decision === null ? "Seen; the work begins." : defangLine(view.decision.reason);
}

/** What an event adds to the table; null where it adds nothing a reader needs. */
function rowOf(event: ChainEvent): Row | null {
  switch (event.kind) {
    case "chain-started":
    case "announced":
    case "closed":
      return null;
    case "preflighted":
      return event.problems.length === 0
        ? { mark: "✅", what: `Preflight: everything is in order, base ${code(event.baseBranch)}`, time: "" }
        : { mark: "❌", what: `Preflight: ${count(event.problems.length, "problem")}`, time: "" };
    case "approved":
      return { mark: "✅", what: `Approved by ${code(event.by.login)}`, time: "" };
    case "approval-refused":
      return { mark: "⛔", what: `Approval refused: ${defangLine(event.reason)}`, time: "" };
    case "prepared":
      return { mark: "✅", what: "Workspace", time: duration(event.setupSeconds) };
    case "turn-finished": {
      const name = `Run ${event.run}, ${turnName(event.purpose)}`;
      const moved = event.tree === event.startTree ? "changed nothing" : "changed the tree";
      return event.end === "completed"
        ? { mark: "✅", what: `${name}: ${moved}`, time: duration(event.seconds) }
        : {
            mark: "⚠️",
            what: `${name}: ${event.end}, ${moved}. ${defangLine(event.reason)}`,
            time: duration(event.seconds),
          };
    }
    case "verified": {
      const { breaches, gates } = event.verification;
      const parts = gates.map((gate) => `${gateMark(gate.state)} ${code(gate.name)}${gate.flaky ? " (flaky)" : ""}`);
      const bad = breaches.length > 0 || gates.some((gate) => gate.state === "failed" || gate.state === "broken");
      const policy = breaches.length === 0 ? "" : `policy: ${count(breaches.length, "breach", "breaches")} `;
      const what = `Gates: ${policy}${parts.join(" ") || "none ran, unverified"}`;
      return { mark: bad ? "❌" : gates.length === 0 ? "⚪" : "✅", what, time: duration(event.seconds) };
    }
    case "judged": {
      const { round } = event;
      const what = `Judge, round ${round.number}: **${round.verdict}**. ${defangLine(round.reason)}`;
      return { mark: verdictMark(round.verdict), what, time: duration(event.seconds) };
    }
    case "published":
      return event.result === "done"
        ? { mark: "✅", what: `Published: ${defangLine(event.reason)}`, time: "" }
        : { mark: "⛔", what: `Not published (${event.result}): ${defangLine(event.reason)}`, time: "" };
    case "stop-requested":
      return {
        mark: "🛑",
        what: event.by === null ? `Stop: ${event.cause}` : `Stop asked for by ${code(event.by.login)}`,
        time: "",
      };
    case "budget-spent":
      return { mark: "🛑", what: defangLine(event.reason), time: "" };
    case "step-failed":
      return { mark: "⚠️", what: `The step ${code(event.step)} failed: ${defangLine(event.reason)}`, time: "" };
  }
}

function turnName(purpose: "write" | "revise" | "fix-gates"): string {
  switch (purpose) {
    case "write":
      return "write";
    case "revise":
      return "revision";
    case "fix-gates":
      return "fix of the gates";
  }
}

function currentRow(step: Step): Row | null {
  const at = (what: string): Row => ({ mark: "⏳", what, time: "" });
  switch (step.kind) {
    case "announce":
    case "end":
      return null;
    case "preflight":
      return at("Preflight");
    case "await-approval":
      return at("Waiting for `/approve` from somebody with the right");
    case "prepare":
      return at("Workspace");
    case "turn":
      return at(`Run ${step.run}, ${turnName(step.purpose)}`);
    case "verify":
      return at("Gates");
    case "judge":
      return at("Judge");
    case "publish":
      return at("Publishing");
    case "close":
      return at("Closing");
  }
}
