import type { GateState } from "../domain/gate-result.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Usage } from "../domain/usage.ts";
import type { ShownVerdict } from "../domain/verdict.ts";

/** A duration as a person says it: `0.4 s`, `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

/** `1 file`, `2 files`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** What a chain used. Unknown money is said to be unknown, never left out. */
export function usageWords(usage: Usage): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const money =
    usage.usd === null ? "cost unknown (no price for this model)" : `$${usage.usd.toFixed(usage.usd < 0.1 ? 4 : 2)}`;
  return `${count(usage.calls, "model call")} · ${count(tokens, "token")} · ${money}`;
}

export function verdictMark(verdict: ShownVerdict): string {
  switch (verdict) {
    case "PASS":
      return "✅";
    case "NEEDS_WORK":
      return "🔧";
    case "BLOCKED":
      return "⛔";
    case "ERROR":
      return "⚠️";
    case "NOT_RUN":
      return "⚪";
  }
}

export function gateMark(state: GateState): string {
  switch (state) {
    case "passed":
      return "✅";
    case "failed":
      return "❌";
    case "broken":
      return "⚠️";
    case "skipped":
    case "unverified":
      return "⚪";
  }
}

/** How a chain ended, as a headline. */
export function outcomeWords(outcome: Outcome): string {
  switch (outcome) {
    case "passed":
      return "passed";
    case "needs-work":
      return "needs work";
    case "blocked":
      return "needs a person's decision";
    case "red":
      return "checks are red";
    case "failed":
      return "it could not be finished";
    case "no-change":
      return "nothing was changed";
    case "question":
      return "there is a question";
    case "cancelled":
      return "cancelled";
    case "stale":
      return "out of date, the head moved";
  }
}
