import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { GavelError } from "../errors.ts";
import { migrateDurable } from "./durable.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

const lockKey = 7_242_001;
const lockSecondsMax = 120;

/** Beside this module, in the sources as in the bundle. */
const folder = fileURLToPath(new URL("./migrations/", import.meta.url));

/**
 * Brings the durable engine's tables and ours up to date, forward only, by one process at a time; the others wait.
 * Throws a GavelError where the database was made by a newer version, or the lock is not free within 120 seconds.
 */
export async function migrate(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "gavel migrate", keepAlive: true });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await takeLock(client);
    const done = await doneSoFar(client);
    const known = readMigrations();
    refuseNewer(done, known);
    await migrateDurable(url);
    for (const migration of known) if (!done.includes(migration.number)) await apply(client, migration);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Tries in a loop instead of waiting inside the server: a session that waits holds a snapshot, and the durable
 * engine's `CREATE INDEX CONCURRENTLY` waits for all older snapshots, so that both would wait for ever.
 */
async function takeLock(client: Client): Promise<void> {
  const deadline = Date.now() + lockSecondsMax * 1000;
  while (Date.now() < deadline) {
    const { rows } = await client.query<{ ok: boolean }>("SELECT pg_try_advisory_lock($1) AS ok", [lockKey]);
    if (rows[0]?.ok === true) return;
    await sleep(100);
  }
  throw new GavelError(
    "migration-locked",
    `Another process has been changing the database's tables for more than ${lockSecondsMax} seconds.`,
    "Look whether another Gavel hangs at its start, end it, and start again.",
  );
}

async function doneSoFar(client: Client): Promise<number[]> {
  await client.query(
    "CREATE SCHEMA IF NOT EXISTS gavel; CREATE TABLE IF NOT EXISTS gavel.migrations (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ number: number }>("SELECT number FROM gavel.migrations ORDER BY number");
  return rows.map((row) => row.number);
}

/** The migrations of this version, in order. Files are named `001-words.sql`. */
export function readMigrations(): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{3}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 3)),
      name: file.slice(4, -4),
      sql: readFileSync(`${folder}/${file}`, "utf8"),
    }));
}

function refuseNewer(done: readonly number[], known: readonly Migration[]): void {
  const newest = known.at(-1)?.number ?? 0;
  const found = done.at(-1) ?? 0;
  if (found <= newest) return;
  throw new GavelError(
    "database-newer",
    `The database was made by a newer Gavel: it is at migration ${found}, this version knows ${newest}.`,
    "Start the newer version again, or restore a backup from before the upgrade.",
  );
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(migration.sql);
    await client.query("INSERT INTO gavel.migrations (number, name) VALUES ($1, $2)", [
      migration.number,
      migration.name,
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
