import { ulid } from "ulid";
import type { ConfigReading } from "../config/read-rules.ts";
import type { StopRequested } from "../domain/event.ts";
import type { Trigger } from "../domain/trigger.ts";
import type { ChainDeps, Pinned } from "./chain-deps.ts";
import { recordEvent } from "./record-event.ts";
import { segmentId, segmentsMax, wakeTopic } from "./workflow.ts";

/** Names that the rules' `default` stands for, and what a reader of every report has to know. */
export interface Defaults {
  readonly engine: string;
  readonly recordedModel: boolean;
}

/** One workflow for each (hook, delivery): starting it again changes nothing. */
const workflowId = ({ hookId, deliveryId }: Trigger): string => `chain:${hookId}:${deliveryId}`;

/** Opens a chain, takes its item's slot, pins rules and texts, and starts it. A repeat goes on where it was cut off. */
export async function startChain(
  deps: ChainDeps,
  defaults: Defaults,
  trigger: Trigger,
  config: ConfigReading,
  approval: "needed" | "not-needed",
): Promise<"started" | "busy"> {
  const { implement } = config.rules;
  const pinned: Pinned = {
    rules: config.rules,
    rulesVersion: config.version,
    configProblems: config.problems,
    circumstances: {
      isolation: deps.sandbox.kind,
      recordedModel: defaults.recordedModel,
      implementerModel: implement.model === "default" ? deps.models.implementer : implement.model,
      engine: implement.engine === "default" ? defaults.engine : implement.engine,
      runUrl: null,
    },
  };
  const opened = await deps.records.openChain(ulid(), trigger, pinned);
  if (opened.kind === "busy") return "busy";
  const { chain } = opened;
  await recordEvent(deps, chain, "start", { kind: "chain-started", chain, trigger, approval });
  const partition = String(trigger.repository.id);
  await deps.durable.startWorkflow("chain", workflowId(trigger), { chain, partition });
  return "started";
}

/** Stores the stop first, so that whatever is decided next sees it; then cuts off what is running. */
export async function stopChain(deps: ChainDeps, chain: string, key: string, stop: StopRequested): Promise<void> {
  await recordEvent(deps, chain, key, stop);
  for (let number = 1; number <= segmentsMax; number++) await deps.durable.cancelWorkflow(segmentId(chain, number));
  await wakeChain(deps, chain);
}

/** Makes a chain that waits for an approval look again. */
export async function wakeChain(deps: ChainDeps, chain: string): Promise<void> {
  const row = await deps.records.readChain(chain);
  if (row !== null && row.endedAt === null) await deps.durable.send(workflowId(row.trigger), wakeTopic, "look");
}
