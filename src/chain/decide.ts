import { checkBudget } from "../domain/budget.ts";
import type { ChainEvent } from "../domain/event.ts";
import { nextStep } from "../domain/next-step.ts";
import type { Policy } from "../domain/policy.ts";
import type { Decision, Step } from "../domain/step.ts";
import { summarise } from "../domain/summarise.ts";
import type { RecordedEvent } from "../store/record.ts";
import type { ChainDeps, Pinned } from "./chain-deps.ts";
import { recordEvent } from "./record-event.ts";

/** Version of the decision rules, stored with every decision. Raise it when nextStep or summarise decide differently. */
export const decisionsVersion = "1";

/** A decision with the place in the record it was made for: repeating either never makes a second one. */
export interface Decided {
  /** Sequence of the last event that was seen. */
  readonly sequence: number;
  readonly step: Step;
  readonly reason: string;
}

/** The numbers that decisions depend on, out of a chain's pinned rules. */
export function policyOf(rules: Pinned["rules"], events: readonly ChainEvent[]): Policy {
  const started = events.find((event) => event.kind === "chain-started");
  return {
    maxRevisions: rules.implement.maxRevisions,
    fixTurnsMax: rules.implement.fixTurns,
    requiredGates: rules.gates.required,
    approval: started?.approval ?? "not-needed",
  };
}

/**
 * Reads what happened, decides, and stores the decision. Where one was stored for the same state, by an earlier try
 * or an earlier version of the rules, that one is returned: a decision is replayed, never recomputed.
 */
export async function decide(deps: ChainDeps, chain: string): Promise<Decided> {
  const pinned = await readPinned(deps, chain);
  let recorded = await deps.records.readEvents(chain);
  const late = minutesSpent(recorded, pinned.rules.budget.minutesPerChain);
  if (late !== null) {
    await recordEvent(deps, chain, "budget:minutes", { kind: "budget-spent", reason: late });
    recorded = await deps.records.readEvents(chain);
  }
  const events = recorded.map((entry) => entry.event);
  const sequence = recorded.at(-1)?.sequence ?? -1;
  const fresh: Decision = nextStep(summarise(events, policyOf(pinned.rules, events)));
  const decision = await deps.records.recordDecision(chain, sequence, fresh, decisionsVersion);
  deps.log.info({ chain, sequence, step: decision.step, reason: decision.reason }, "decided");
  deps.progress.touch(chain);
  return { sequence, step: decision.step, reason: decision.reason };
}

/** The sentence that says the minutes are spent, counted from when the work began, not from when it began to wait; else null. */
function minutesSpent(recorded: readonly RecordedEvent[], minutesMax: number): string | null {
  const began = recorded.find(({ event }) => event.kind === "prepared")?.at;
  const ended = recorded.some(
    ({ event }) => event.kind === "published" || event.kind === "budget-spent" || event.kind === "closed",
  );
  if (began === undefined || ended) return null;
  const minutes = (Date.now() - began.getTime()) / 60_000;
  const limits = { usdMax: Number.POSITIVE_INFINITY, tokensMax: Number.POSITIVE_INFINITY, minutesMax };
  return checkBudget({ limits, spent: { usd: 0, tokens: 0, minutes } })?.reason ?? null;
}

/** The pinned rules of a chain. They were written with the chain's row, so a chain without them can not exist. */
export async function readPinned(deps: Pick<ChainDeps, "records">, chain: string): Promise<Pinned> {
  return (await deps.records.readPinned(chain)) as Pinned;
}
