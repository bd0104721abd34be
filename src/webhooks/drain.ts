import type { Logger } from "pino";
import type { CommandDeps } from "../commands/command-deps.ts";
import type { StoredRecords } from "../store/records.ts";
import { handleDelivery } from "./handle-delivery.ts";

/** Deliveries that one round takes, and rounds at the same time. */
const roundMax = 100;
const drainersAtOnce = 4;

/** Turns stored deliveries into what they ask for, as soon as they are stored. Returns the way to stop. */
export function startDraining(records: StoredRecords, deps: CommandDeps, log: Logger): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let again = false;
  let stopped = false;

  const drain = async (): Promise<void> => {
    await records.drainDeliveries(roundMax, async (delivery) => {
      try {
        await handleDelivery(deps, delivery);
      } catch (error) {
        log.error(
          { delivery: delivery.deliveryId, event: delivery.event, err: error },
          "delivery not handled, tried again later",
        );
        throw error;
      }
    });
  };
  const start = (): void => {
    if (stopped) return;
    if (running.size >= drainersAtOnce) {
      again = true;
      return;
    }
    const round = drain()
      .catch((error: unknown) => log.error({ err: error }, "deliveries could not be read"))
      .finally(() => {
        running.delete(round);
        if (!again) return;
        again = false;
        start();
      });
    running.add(round);
  };
  const unwatch = records.onDelivery(start);
  return async () => {
    stopped = true;
    await unwatch();
    await Promise.all(running);
  };
}
