import colors from "picocolors";
import type { ChainEvent } from "../src/domain/event.ts";
import { duration, usageWords } from "../src/text/words.ts";

/** Prints one line with the time since the beginning. */
export type Say = (text: string) => void;

export function openTimeline(quiet: boolean): Say {
  const began = performance.now();
  return (text) => {
    if (quiet) return;
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
    console.log(`${colors.dim(`${seconds} s`)}  ${text}`);
  };
}

/** An event as one line for the terminal; null where it needs none. */
export function eventLine(event: ChainEvent): string | null {
  switch (event.kind) {
    case "chain-started":
      return `chain ${colors.bold(event.chain)} begins (${event.trigger.cause} by ${event.trigger.person.login})`;
    case "announced":
      return "progress comment posted";
    case "preflighted":
      return event.problems.length === 0
        ? `preflight: everything is in order, base ${event.baseBranch} at ${event.baseCommit.slice(0, 10)}`
        : colors.red(`preflight: ${event.problems.map((problem) => problem.message).join("; ")}`);
    case "approved":
      return `approved by ${event.by.login}`;
    case "approval-refused":
      return colors.yellow(`approval refused: ${event.reason}`);
    case "prepared":
      return `workspace ready, tree ${event.baseTree.slice(0, 10)}`;
    case "turn-finished":
      return `run ${event.run}, turn ${event.turn} (${event.purpose}): ${event.end}, ${
        event.tree === event.startTree ? "nothing changed" : `tree ${event.tree.slice(0, 10)}`
      }, ${usageWords(event.usage)}, ${duration(event.seconds)}`;
    case "verified":
      return `gates: ${
        event.verification.gates
          .map((gate) => (gate.state === "passed" ? colors.green : colors.red)(`${gate.name} ${gate.state}`))
          .join(", ") || "none ran"
      }${event.verification.breaches.length === 0 ? "" : colors.red(` · policy: ${event.verification.breaches.length} breaches`)}`;
    case "judged":
      return `judge, round ${event.round.number}: ${
        event.round.verdict === "PASS" ? colors.green(event.round.verdict) : colors.yellow(event.round.verdict)
      } · ${event.round.reason}`;
    case "published":
      return `published: ${event.reason}${event.pullRequest === null ? "" : ` #${event.pullRequest.number}`}`;
    case "closed":
      return `chain closed: ${colors.bold(event.outcome)}`;
    case "stop-requested":
      return colors.yellow(`stop requested: ${event.cause}`);
    case "budget-spent":
      return colors.yellow(event.reason);
    case "step-failed":
      return colors.red(`step ${event.step} failed: ${event.reason}`);
  }
}
