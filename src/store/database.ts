import { Client, escapeIdentifier, Pool } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { GavelError } from "../errors.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";
import { migrate } from "./migrate.ts";

/** Where the record is kept: a PostgreSQL of others, or our own in a data folder. */
export type DatabasePlace =
  | { readonly url: string }
  | { readonly dataFolder: string; /** Folder of PostgreSQL's programs. */ readonly binFolder?: string };

export interface Database {
  readonly url: string;
  readonly pool: Pool;
  /** Our own server: no other process can work on it. */
  readonly embedded: boolean;
  /** Settles when our own server is gone without being asked to; never for a server of others. */
  readonly lost: Promise<void>;
  /** Closes the pool and stops our own server. Repeating it changes nothing. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections of the pool, beside the durable engine's own. Default 10. */
  readonly connectionsMax?: number;
  /** Told about connections that break while idle; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

const closeSecondsMax = 10;

/**
 * Opens the database, makes it when it does not exist, and brings its tables up to date.
 * Throws a GavelError: not reachable, made by a newer version, too old a server, and what startEmbeddedPostgres throws.
 */
export async function openDatabase(place: DatabasePlace, options: DatabaseOptions = {}): Promise<Database> {
  const server = "url" in place ? null : await startEmbeddedPostgres(place.dataFolder, place);
  try {
    const url = server?.url ?? ("url" in place ? place.url : "");
    await makeDatabase(url);
    await migrate(url);
    if (server !== null) await freeClaims(url);
    return openPool(url, server, options);
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

function openPool(url: string, server: EmbeddedPostgres | null, options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: 30_000,
    // Waits of ours are in the hundreds of milliseconds: whatever takes a minute is stuck.
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: "gavel",
  });
  // Without a listener, a connection that breaks while idle ends the process.
  pool.on("error", (error) => options.onConnectionError?.(error));
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    // A connection that somebody never gave back must not hold up the end.
    await Promise.race([pool.end(), sleep(closeSecondsMax * 1000, undefined, { ref: false })]);
    await server?.stop();
  };
  const lost = server === null ? new Promise<void>(() => undefined) : server.exited.then(() => untilLost());
  const untilLost = (): Promise<void> => (closing === null ? Promise.resolve() : new Promise(() => undefined));
  return { url, pool, embedded: server !== null, lost, close: () => (closing ??= close()) };
}

/** Connects, and creates the database when the server says that there is none of that name. */
async function makeDatabase(url: string): Promise<void> {
  const target = new URL(url);
  try {
    await withClient(url, checkVersion);
  } catch (error) {
    if ((error as { code?: string }).code !== "3D000") throw unreachable(target, error);
    const name = decodeURIComponent(target.pathname.slice(1));
    target.pathname = "/postgres";
    try {
      await withClient(target.toString(), async (client) => {
        await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
      });
    } catch (error) {
      // Another process was quicker.
      if (!["42P04", "23505"].includes((error as { code?: string }).code ?? "")) throw unreachable(target, error);
    }
  }
}

async function checkVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < 14) {
    throw new GavelError("postgres-too-old", `The server is PostgreSQL ${major}.`, "Use PostgreSQL 14 or newer.");
  }
}

/** With our own server nobody else can hold a delivery: what a killed predecessor had claimed is free at once. */
async function freeClaims(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      "UPDATE gavel.deliveries SET due_at = now(), claim = NULL WHERE claim IS NOT NULL AND done_at IS NULL AND failed_at IS NULL",
    );
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 15_000, application_name: "gavel" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Names the place, never the password. */
function unreachable(url: URL, cause: unknown): Error {
  if (cause instanceof GavelError) return cause;
  const reason = cause instanceof AggregateError ? cause.errors.map(String).join("; ") : String(cause);
  return new GavelError(
    "database-unreachable",
    `The database ${url.pathname.slice(1)} on ${url.searchParams.get("host") ?? url.host} can not be used: ${reason}`,
    "Check DATABASE_URL, that the server runs, and that its user may connect and create tables.",
    { cause },
  );
}
