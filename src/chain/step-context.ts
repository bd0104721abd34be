import type { ChainEvent, Preflighted, Prepared } from "../domain/event.ts";
import slugify from "@sindresorhus/slugify";
import { branchName } from "../domain/publication.ts";
import type { Trigger } from "../domain/trigger.ts";
import { GavelError } from "../errors.ts";
import type { GitHub } from "../github/github.ts";
import { viewChain, type ChainView } from "../text/chain-view.ts";
import type { GitRepository } from "../workspace/workspace.ts";
import type { ChainDeps, Pinned } from "./chain-deps.ts";
import { recordEvent } from "./record-event.ts";
import { readPinned, type Decided } from "./decide.ts";

/** What every step works on: the chain's record as it stood when the step was decided, and the way to the world. */
export interface StepContext {
  readonly deps: ChainDeps;
  readonly chain: string;
  readonly trigger: Trigger;
  readonly pinned: Pinned;
  readonly events: readonly ChainEvent[];
  readonly view: ChainView;
  readonly sequence: number;
  /** This step's event stands in the record: it was performed, and the process died before saying so. */
  readonly alreadyDone: boolean;
  readonly signal: AbortSignal;
  readonly github: GitHub;
  git(): Promise<GitRepository>;
  /** Appends a further event of this step, once for its key. */
  record(key: string, event: ChainEvent): Promise<void>;
  /** The branch this chain would like; a suffix is added where it is somebody else's. */
  branchName(): string;
}

export async function readStepContext(
  deps: ChainDeps,
  chain: string,
  decided: Decided,
  signal: AbortSignal,
): Promise<StepContext> {
  const [row, recorded, pinned] = await Promise.all([
    deps.records.readChain(chain),
    deps.records.readEvents(chain),
    readPinned(deps, chain),
  ]);
  if (row === null) throw new GavelError("chain-unknown", `There is no chain ${chain}.`, "Look at the list of chains.");
  const seen = recorded.filter((entry) => entry.sequence <= decided.sequence);
  return {
    deps,
    chain,
    trigger: row.trigger,
    pinned,
    events: seen.map((entry) => entry.event),
    view: viewChain({
      chain,
      trigger: row.trigger,
      circumstances: pinned.circumstances,
      timeline: seen,
      decision: { step: decided.step, reason: decided.reason },
      ahead: null,
    }),
    sequence: decided.sequence,
    alreadyDone: recorded.some((entry) => entry.key === `step:${decided.sequence}`),
    signal,
    github: await deps.app.repository(row.trigger.repository),
    git: () => deps.workspace.repository(String(row.trigger.repository.id)),
    record: (key, event) => recordEvent(deps, chain, key, event),
    branchName: () =>
      branchName(pinned.rules.publish.branch, {
        number: row.trigger.item.number,
        slug: slugify(row.trigger.brief.title),
      }),
  };
}

/** The one event of a kind that a step relies on. The decision table asks for no step before its facts stand. */
export function preflightOf(context: StepContext): Preflighted {
  return lastOf(context.events, "preflighted");
}

export function preparedOf(context: StepContext): Prepared {
  return lastOf(context.events, "prepared");
}

function lastOf<K extends ChainEvent["kind"]>(
  events: readonly ChainEvent[],
  kind: K,
): Extract<ChainEvent, { kind: K }> {
  const found = events.findLast((event): event is Extract<ChainEvent, { kind: K }> => event.kind === kind);
  if (found === undefined) throw new Error(`no event "${kind}" stands in the record`);
  return found;
}
