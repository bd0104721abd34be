import type { ChainEvent, Judged, Preflighted, Published, TurnFinished, Verified } from "../domain/event.ts";
import { currentRound, currentVerification } from "../domain/publishable-tree.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Decision } from "../domain/step.ts";
import type { Trigger } from "../domain/trigger.ts";
import { addUsage, noUsage, type Usage } from "../domain/usage.ts";

/** What happened, with the database's time. */
export interface TimedEvent {
  readonly at: Date;
  readonly event: ChainEvent;
}

/** How this chain was run, where a reader has to know it to trust the rest. */
export interface Circumstances {
  readonly isolation: "bubblewrap" | "none";
  /** The model's replies come from a recording. */
  readonly recordedModel: boolean;
  readonly implementerModel: string;
  readonly engine: string;
  /** Address of the run page, or null where none is served. */
  readonly runUrl: string | null;
}

/** One chain as every text about it sees it. Only facts: nothing in it comes from what an agent says of itself. */
export interface ChainView {
  readonly chain: string;
  readonly trigger: Trigger;
  readonly circumstances: Circumstances;
  readonly timeline: readonly TimedEvent[];
  /** What is being done now and why; null before the first decision. */
  readonly decision: Decision | null;
  /** Chains ahead while it waits for its turn, else null. */
  readonly ahead: { readonly inRepository: number; readonly inAll: number } | null;
  readonly preflight: Preflighted | null;
  readonly turns: readonly TurnFinished[];
  readonly verifications: readonly Verified[];
  readonly rounds: readonly Judged[];
  /** The round and the verification that speak about the tree at hand; an earlier attempt's are never current. */
  readonly round: Judged | null;
  readonly verification: Verified | null;
  readonly published: Published | null;
  /** What cut the chain off from outside: a spent budget, a step that could not be performed. */
  readonly obstacles: readonly string[];
  readonly outcome: Outcome | null;
  readonly usage: Usage;
}

/** Folds a chain's events into its view. */
export function viewChain(input: {
  readonly chain: string;
  readonly trigger: Trigger;
  readonly circumstances: Circumstances;
  readonly timeline: readonly TimedEvent[];
  readonly decision: Decision | null;
  readonly ahead: ChainView["ahead"];
}): ChainView {
  const events = input.timeline.map((entry) => entry.event);
  const of = <K extends ChainEvent["kind"]>(kind: K) =>
    events.filter((event): event is Extract<ChainEvent, { kind: K }> => event.kind === kind);
  const turns = of("turn-finished");
  const rounds = of("judged");
  return {
    ...input,
    preflight: of("preflighted").at(-1) ?? null,
    turns,
    verifications: of("verified"),
    rounds,
    round: currentRound(events),
    verification: currentVerification(events),
    obstacles: events.flatMap((event) =>
      event.kind === "budget-spent" || event.kind === "step-failed" ? [event.reason] : [],
    ),
    published: of("published").at(-1) ?? null,
    outcome: of("closed").at(-1)?.outcome ?? null,
    usage: [...turns, ...rounds].reduce((sum, event) => addUsage(sum, event.usage), noUsage),
  };
}
