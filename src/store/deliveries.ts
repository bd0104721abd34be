import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { watchDeliveries } from "./delivery-watch.ts";
import type { Delivery, Records } from "./record.ts";

export interface DeliveryWatch {
  /**
   * Calls back whenever there may be deliveries to drain: now, after each that is stored here or in another process,
   * and every 5 seconds in case a message was lost. Calls are merged, never queued. Returns the way to stop.
   */
  onDelivery(callback: () => void): () => Promise<void>;
}

interface Row {
  readonly id: string;
  readonly hook_id: string;
  readonly delivery_id: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: unknown;
  readonly received_at: Date;
  readonly tries: number;
}

/** Handlers are tried that often; then the row is kept as failed. */
export const triesMax = 8;

/** A row whose claim was not renewed for that long is free again: its process died. */
const claimSeconds = 30;
const renewalSeconds = 10;
const backOffSecondsMax = 300;
const errorCharactersMax = 2_000;

/**
 * Deliveries wait in a table of ours: one insert before the reply to GitHub, everything else later.
 *
 * A row that is being handled is claimed by columns (`claim`, and `due_at` moved ahead and renewed), not by an open
 * transaction: a handler waits for GitHub, minutes when rate-limited, and a transaction open that long holds a
 * connection and keeps the whole database from being vacuumed. A killed process's claim runs out after 30 seconds;
 * with a server of our own it is freed at the next start.
 */
export function openDeliveries(pool: Pool): Pick<Records, "storeDelivery" | "drainDeliveries"> & DeliveryWatch {
  const watch = watchDeliveries(pool);
  return {
    storeDelivery: async (delivery) => {
      const { rowCount } = await pool.query({
        name: "store-delivery",
        text: `INSERT INTO gavel.deliveries (hook_id, delivery_id, event, action, payload, received_at)
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        values: [
          delivery.hookId,
          delivery.deliveryId,
          delivery.event,
          delivery.action,
          JSON.stringify(delivery.payload ?? null),
          delivery.receivedAt,
        ],
      });
      if (rowCount === 0) return "duplicate";
      watch.announce();
      return "stored";
    },
    drainDeliveries: async (limit, handle) => {
      for (let taken = 0; taken < limit; taken++) {
        const claim = randomUUID();
        const row = await claimNext(pool, claim);
        if (row === null) return taken;
        await handleClaimed(pool, claim, row, handle);
      }
      return limit;
    },
    onDelivery: (callback) => watch.onDelivery(callback),
  };
}

async function claimNext(pool: Pool, claim: string): Promise<Row | null> {
  const { rows } = await pool.query<Row>({
    name: "claim-delivery",
    text: `UPDATE gavel.deliveries SET claim = $1, tries = tries + 1, due_at = now() + $2 * interval '1 second'
           WHERE id = (SELECT id FROM gavel.deliveries
                       WHERE done_at IS NULL AND failed_at IS NULL AND due_at <= now()
                       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING id, hook_id, delivery_id, event, action, payload, received_at, tries`,
    values: [claim, claimSeconds],
  });
  return rows[0] ?? null;
}

async function handleClaimed(
  pool: Pool,
  claim: string,
  row: Row,
  handle: (delivery: Delivery) => Promise<void>,
): Promise<void> {
  const renewal = setInterval(() => {
    // A renewal that fails is not the handler's trouble: at worst the row is handled twice, which does no harm.
    pool
      .query("UPDATE gavel.deliveries SET due_at = now() + $2 * interval '1 second' WHERE claim = $1", [
        claim,
        claimSeconds,
      ])
      .catch(() => undefined);
  }, renewalSeconds * 1000);
  try {
    // The try that is one too many is not made: its predecessors may have killed the process each time.
    if (row.tries > triesMax) throw new Error("every try was cut off");
    await handle(toDelivery(row));
  } catch (error) {
    await leaveForLater(pool, claim, row.tries, error);
    return;
  } finally {
    clearInterval(renewal);
  }
  await pool.query("UPDATE gavel.deliveries SET done_at = now(), claim = NULL, error = NULL WHERE claim = $1", [claim]);
}

async function leaveForLater(pool: Pool, claim: string, tries: number, error: unknown): Promise<void> {
  const seconds = Math.min(2 ** (tries - 1), backOffSecondsMax);
  const reason = String(error).replaceAll("\0", "").slice(0, errorCharactersMax);
  await pool.query(
    `UPDATE gavel.deliveries
     SET claim = NULL, error = $2, due_at = now() + $3 * interval '1 second',
         failed_at = CASE WHEN $4 THEN now() ELSE NULL END
     WHERE claim = $1`,
    [claim, reason, seconds, tries >= triesMax],
  );
}

function toDelivery(row: Row): Delivery {
  return {
    hookId: row.hook_id,
    deliveryId: row.delivery_id,
    event: row.event,
    action: row.action,
    payload: row.payload,
    receivedAt: row.received_at,
  };
}
