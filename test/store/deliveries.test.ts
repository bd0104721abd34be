import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { triesMax } from "../../src/store/deliveries.ts";
import type { Delivery } from "../../src/store/record.ts";
import { watchDeliveries } from "../../src/store/delivery-watch.ts";
import { openRecords, type StoredRecords } from "../../src/store/records.ts";
import { openTestDatabase, until } from "./support.ts";

let database: Database;
let records: StoredRecords;

beforeAll(async () => {
  database = await openTestDatabase();
  records = openRecords(database.pool);
});

beforeEach(async () => {
  await database.pool.query("TRUNCATE gavel.deliveries");
});

afterAll(async () => {
  await database.close();
});

const delivery = (deliveryId: string, hookId = "hook"): Delivery => ({
  hookId,
  deliveryId,
  event: "issues",
  action: "labeled",
  payload: { text: "nul \u0000, half a pair \ud800", number: 1 },
  receivedAt: new Date("2026-11-01T12:00:00.123Z"),
});

/** Lets everything that waits for its time be due now. */
const skipWaiting = (): Promise<unknown> => database.pool.query("UPDATE gavel.deliveries SET due_at = now()");

const statesOf = async (): Promise<unknown[]> =>
  (
    await database.pool.query(
      "SELECT delivery_id AS id, tries, done_at IS NOT NULL AS done, failed_at IS NOT NULL AS failed, error FROM gavel.deliveries ORDER BY id",
    )
  ).rows;

describe("storing", () => {
  it("keeps a delivery once, exactly, for its hook and id", async () => {
    expect(await records.storeDelivery(delivery("a"))).toBe("stored");
    expect(await records.storeDelivery({ ...delivery("a"), event: "other" })).toBe("duplicate");
    expect(await records.storeDelivery(delivery("a", "second app"))).toBe("stored");
    const seen: Delivery[] = [];
    expect(await records.drainDeliveries(10, async (one) => void seen.push(one))).toBe(2);
    expect(seen).toEqual([delivery("a"), delivery("a", "second app")]);
  });

  it("still knows a delivery after it was handled", async () => {
    await records.storeDelivery(delivery("known"));
    await records.drainDeliveries(10, async () => undefined);
    expect(await records.storeDelivery(delivery("known"))).toBe("duplicate");
    expect(await records.drainDeliveries(10, async () => undefined)).toBe(0);
  });
});

describe("draining", () => {
  it("hands out the oldest first, and no more than asked for", async () => {
    for (const id of ["1", "2", "3"]) await records.storeDelivery(delivery(id));
    const seen: string[] = [];
    const note = async (one: Delivery): Promise<void> => void seen.push(one.deliveryId);
    expect(await records.drainDeliveries(2, note)).toBe(2);
    expect(seen).toEqual(["1", "2"]);
    expect(await records.drainDeliveries(2, note)).toBe(1);
    expect(seen).toEqual(["1", "2", "3"]);
  });

  it("never hands one row to two drainers, and holds no transaction while a handler runs", async () => {
    for (let id = 0; id < 30; id++) await records.storeDelivery(delivery(String(id)));
    const seen: string[] = [];
    let open = 0;
    const handle = async (one: Delivery): Promise<void> => {
      seen.push(one.deliveryId);
      const { rows } = await database.pool.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'",
      );
      open += rows[0].n;
    };
    const drainer = openRecords(database.pool);
    const taken = await Promise.all([
      records.drainDeliveries(30, handle),
      drainer.drainDeliveries(30, handle),
      drainer.drainDeliveries(30, handle),
    ]);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(new Set(seen).size).toBe(30);
    expect(seen).toHaveLength(30);
    expect(open).toBe(0);
  });

  it("leaves a row whose handler fails for later, and goes on with the next", async () => {
    await records.storeDelivery(delivery("bad"));
    await records.storeDelivery(delivery("good"));
    const handle = async (one: Delivery): Promise<void> => {
      if (one.deliveryId === "bad") throw new Error("no \0 luck");
    };
    expect(await records.drainDeliveries(10, handle)).toBe(2);
    expect(await statesOf()).toEqual([
      { id: "bad", tries: 1, done: false, failed: false, error: "Error: no  luck" },
      { id: "good", tries: 1, done: true, failed: false, error: null },
    ]);
    // Not due before its back-off is over.
    await database.pool.query("UPDATE gavel.deliveries SET due_at = due_at + interval '1 minute'");
    expect(await records.drainDeliveries(10, handle)).toBe(0);
    await skipWaiting();
    expect(await records.drainDeliveries(10, async () => undefined)).toBe(1);
    expect(await statesOf()).toContainEqual({ id: "bad", tries: 2, done: true, failed: false, error: null });
  });

  it("gives up after so many tries, and keeps the row as failed", async () => {
    await records.storeDelivery(delivery("hopeless"));
    for (let tries = 0; tries < triesMax; tries++) {
      const handle = (): Promise<void> => Promise.reject(new Error("again"));
      expect(await records.drainDeliveries(10, handle)).toBe(1);
      await skipWaiting();
    }
    expect(await records.drainDeliveries(10, async () => undefined)).toBe(0);
    expect(await statesOf()).toEqual([
      { id: "hopeless", tries: triesMax, done: false, failed: true, error: "Error: again" },
    ]);
  });

  it("does not call the handler for a row that cut off every process that tried it", async () => {
    await records.storeDelivery(delivery("deadly"));
    await database.pool.query("UPDATE gavel.deliveries SET tries = $1", [triesMax]);
    let calls = 0;
    expect(await records.drainDeliveries(10, async () => void (calls += 1))).toBe(1);
    expect(calls).toBe(0);
    expect(await statesOf()).toMatchObject([{ failed: true, error: "Error: every try was cut off" }]);
  });

  it("leaves alone what a late handler no longer holds", async () => {
    await records.storeDelivery(delivery("late"));
    const order: string[] = [];
    await records.drainDeliveries(1, async () => {
      // Its claim ran out: another process takes the row, fails, and leaves it for later.
      await skipWaiting();
      await openRecords(database.pool).drainDeliveries(1, () => Promise.reject(new Error("other")));
      order.push("late one ends");
    });
    expect(order).toEqual(["late one ends"]);
    expect(await statesOf()).toEqual([{ id: "late", tries: 2, done: false, failed: false, error: "Error: other" }]);
  });
});

describe("waking", () => {
  const hour = 3_600_000;
  const listening = async (count: number): Promise<void> =>
    await until(`${count} connections listen`, async () => {
      const { rows } = await database.pool.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'",
      );
      return rows[0].n === count;
    });

  it("calls back for a delivery that another process stored, without waiting for the poll", async () => {
    let calls = 0;
    const stop = watchDeliveries(database.pool, hour).onDelivery(() => (calls += 1));
    await listening(1);
    // One call at the start, and one when it listens, so that nothing between the two is missed.
    await until("the first calls", () => calls === 2);
    await records.storeDelivery(delivery("wake"));
    await until("a call for the delivery", () => calls === 3);
    await stop();
    await listening(0);
  });

  it("calls back for a delivery stored here, and no more after the stop", async () => {
    let calls = 0;
    const stop = records.onDelivery(() => (calls += 1));
    await listening(1);
    await until("the first calls", () => calls === 2);
    await records.storeDelivery(delivery("here"));
    await until("a call for the delivery", () => calls >= 3);
    await stop();
    const before = calls;
    await records.storeDelivery(delivery("no more"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(before);
    await listening(0);
  });

  it("listens again after its connection was cut", async () => {
    let calls = 0;
    const stop = watchDeliveries(database.pool, 50).onDelivery(() => (calls += 1));
    await listening(1);
    await database.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    await until("it polls all the same", () => calls > 4);
    await listening(1);
    await stop();
  });
});
