import { isHeavy } from "../domain/step.ts";
import type { ChainDeps } from "./chain-deps.ts";
import { decide, type Decided } from "./decide.ts";
import { perform } from "./perform.ts";
import { recordEvent } from "./record-event.ts";

/** More turns of the loop than any chain can need (proved by the domain's tests): a loop that reaches it is a fault. */
const loopTurnsMax = 200;

/** Tries of one step before its failure is a fact of the chain. */
const stepTriesMax = 4;

/** Segments a chain can have: one, and one more for each time it was cut. */
export const segmentsMax = 5;

/** What a chain that waits for an approval is woken by. */
export const wakeTopic = "wake";

/** Name of the queue in which heavy work waits for its turn. */
export const workQueue = "work";

export const segmentId = (chain: string, number: number): string => `segment:${chain}:${number}`;

/**
 * Registers the two workflows of a chain; must be done before the durable engine is launched.
 *
 * `chain` turns the loop: decide, perform, repeat. Heavy steps run in a child, `segment`, which waits in the fair
 * queue and may be cancelled: the chain itself never is, so that its closing steps always come.
 */
export function registerChain(deps: ChainDeps): void {
  const { durable } = deps;

  durable.registerWorkflow<{ chain: string; partition: string }>("chain", async ({ chain, partition }) => {
    let segments = 0;
    let waits = 0;
    for (let turn = 0; turn - waits < loopTurnsMax; turn++) {
      const decided = await durable.runStep("decide", () => decide(deps, chain));
      if (decided.step.kind === "end") {
        const { outcome } = decided.step;
        // The closing step did this already; where it could not, the item's slot must not stay taken.
        await durable.runStep("end", () => deps.records.endChain(chain, outcome));
        return;
      }
      if (isHeavy(decided.step) && segments < segmentsMax) {
        segments += 1;
        const id = segmentId(chain, segments);
        await durable.startWorkflow("segment", id, { chain }, { queue: workQueue, partition });
        await durable.awaitWorkflow(id);
      } else if (decided.step.kind === "await-approval") {
        waits += 1;
        await durable.receive(wakeTopic, approvalPollSeconds);
        await performStep(deps, chain, decided);
      } else {
        await performStep(deps, chain, decided);
      }
    }
    throw new Error(`chain ${chain}: more than ${loopTurnsMax} turns of the loop`);
  });

  durable.registerWorkflow<{ chain: string }>("segment", async ({ chain }) => {
    for (let turn = 0; turn < loopTurnsMax; turn++) {
      const decided = await durable.runStep("decide", () => decide(deps, chain));
      if (!isHeavy(decided.step)) return;
      await performStep(deps, chain, decided);
    }
  });
}

/** How often a chain that waits for approval looks whether the wait is over, in seconds. A grant wakes it at once. */
const approvalPollSeconds = 3600;

/** Performs one step durably; when every try failed, that is an event like any other. */
async function performStep(deps: ChainDeps, chain: string, decided: Decided): Promise<void> {
  const { durable, log } = deps;
  const name = decided.step.kind;
  try {
    await durable.runStep(`perform:${name}`, () => perform(deps, chain, decided, durable.cancelSignal()), {
      triesMax: stepTriesMax,
    });
  } catch (error) {
    if (durable.isCancellation(error)) throw error;
    log.error({ chain, step: name, err: error }, "step failed");
    const reason = error instanceof Error ? error.message : String(error);
    await durable.runStep("note-failure", () =>
      recordEvent(deps, chain, `failed:${decided.sequence}`, { kind: "step-failed", step: name, reason }),
    );
  }
}
