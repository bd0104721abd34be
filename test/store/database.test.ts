import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { openRecords } from "../../src/store/records.ts";
import { openTestDatabase, triggerOf, until, urlOf } from "./support.ts";

let server: Database;

beforeAll(async () => {
  server = await openTestDatabase();
});

afterAll(async () => {
  await server.close();
});

const migrationsOf = async (database: Database): Promise<number[]> =>
  (await database.pool.query<{ number: number }>("SELECT number FROM gavel.migrations ORDER BY 1")).rows.map(
    (row) => row.number,
  );

describe("a database by URL", () => {
  it("is made when it is not there, once, by several processes that start together", async () => {
    const url = urlOf(server, "made together");
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
    const known = readMigrations().map((migration) => migration.number);
    for (const database of opened) {
      expect(await migrationsOf(database)).toEqual(known);
      expect(database.embedded).toBe(false);
    }
    const [first, second] = opened.map((database) => openRecords(database.pool));
    expect(await first?.openChain("one", triggerOf("d"), {})).toEqual({ kind: "opened", chain: "one" });
    expect(await second?.openChain("two", triggerOf("d"), {})).toEqual({ kind: "exists", chain: "one" });
    await Promise.all(opened.map((database) => database.close()));
  });

  it("is left as it is when it is opened again", async () => {
    const url = urlOf(server, "again");
    const first = await openDatabase({ url });
    await openRecords(first.pool).openChain("kept", triggerOf("kept"), { a: 1 });
    await first.close();
    await first.close();
    const second = await openDatabase({ url });
    expect(await openRecords(second.pool).readPinned("kept")).toEqual({ a: 1 });
    await second.close();
  });

  it("is refused when a newer version made it, and left as it is", async () => {
    const url = urlOf(server, "newer");
    const database = await openDatabase({ url });
    await database.pool.query("INSERT INTO gavel.migrations (number, name) VALUES (999, 'from the future')");
    await expect(openDatabase({ url })).rejects.toMatchObject({
      code: "database-newer",
      message: expect.stringContaining("999"),
    });
    expect(await migrationsOf(database)).toContain(999);
    await database.close();
  });

  it("is told to be out of reach without its password", async () => {
    const url = "postgresql://gavel:hunter2@127.0.0.1:1/gavel";
    const error: unknown = await openDatabase({ url }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "database-unreachable", message: expect.stringContaining("127.0.0.1:1") });
    expect(JSON.stringify(error) + String(error)).not.toContain("hunter2");
  });

  it("outlives connections that the server cuts", async () => {
    const errors: string[] = [];
    const database = await openDatabase(
      { url: urlOf(server, "cut") },
      { onConnectionError: (error) => errors.push(error.message) },
    );
    await database.pool.query("SELECT 1");
    await server.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'cut'");
    await until("the pool has noticed", () => errors.length > 0);
    expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});

describe("our own server", () => {
  it("says when it is lost, and not when it is closed", async () => {
    const ours = await openTestDatabase();
    let lost = 0;
    void ours.lost.then(() => (lost += 1));
    await ours.close();
    const other = await openTestDatabase();
    const { rows } = await other.pool.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid");
    process.kill(rows[0].pid, "SIGQUIT");
    await other.lost;
    expect(lost).toBe(0);
    await other.close();
  });

  it("frees at the start what a killed process had claimed", async () => {
    const ours = await openTestDatabase();
    const records = openRecords(ours.pool);
    await records.storeDelivery({
      hookId: "h",
      deliveryId: "claimed",
      event: "issues",
      action: null,
      payload: {},
      receivedAt: new Date(),
    });
    await ours.pool.query("UPDATE gavel.deliveries SET claim = gen_random_uuid(), due_at = now() + interval '1 hour'");
    expect(await records.drainDeliveries(1, async () => undefined)).toBe(0);
    await ours.closeKeepingData();
    const next = await openDatabase({ dataFolder: ours.dataFolder });
    expect(await openRecords(next.pool).drainDeliveries(1, async () => undefined)).toBe(1);
    await next.close();
    await ours.close();
  });
});
