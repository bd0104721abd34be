import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { GavelError } from "../errors.ts";
import { lockFolder } from "./folder-lock.ts";
import { findAccount, openWayTo, type Account } from "./postgres-account.ts";
import { findBinaries, type Binaries } from "./postgres-binaries.ts";
import { serverEnvironment, spawnServer, type PostgresServer } from "./postgres-server.ts";
import { stopStalePostmaster } from "./postgres-stale.ts";

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** For example `postgresql://gavel@localhost:5432/gavel?host=%2Fvar%2Flib%2Fgavel%2Fpostgres%2Frun`. */
  readonly url: string;
  /** Settles when the server is gone, also when nobody stopped it. */
  readonly exited: Promise<void>;
  /** Stops the server (bounded: about 25 s) and gives the data folder free. Repeating it changes nothing. */
  stop(): Promise<void>;
}

const startSecondsMax = 60;
const user = "gavel";
const database = "gavel";
const port = 5432;

/** Longest path of a Unix socket: 107 bytes on Linux, 103 on macOS. */
const socketBytesMax = 103;

/**
 * Starts our own PostgreSQL on a data folder and waits until it answers. It listens on a Unix socket in a folder that
 * only its account may enter (so no password is needed), and it ends when this process ends, in whatever way.
 *
 * `binFolder` names the folder of PostgreSQL's programs; without it they are looked for.
 * Throws a GavelError: the folder is in use, no PostgreSQL, another version's data, folder out of reach, no start in
 * 60 seconds.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  options: { readonly binFolder?: string } = {},
): Promise<EmbeddedPostgres> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const root = realpathSync(dataFolder);
  const folder = join(root, "postgres");
  const data = join(folder, "data");
  const lock = await lockFolder(join(root, "lock"), socketOf(join(folder, "run")));
  let sockets: { readonly path: string; readonly temporary: boolean } | null = null;
  try {
    const account = await findAccount(data);
    makeFolder(folder, account);
    await openWayTo(root, account);
    const binaries = await findBinaries(
      account,
      join(root, "postgres-programs"),
      await majorOf(data),
      options.binFolder,
    );
    if (!existsSync(data)) await initialise(binaries, account, folder, data);
    sockets = makeSocketFolder(folder, account);
    const server = await startServer(binaries, account, data, sockets.path);
    const { path, temporary } = sockets;
    let stopping: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      await server.stop();
      if (temporary) rmSync(path, { recursive: true, force: true });
      lock.release();
    };
    return {
      url: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(path)}&sslmode=disable`,
      exited: server.exited,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    if (sockets?.temporary === true) rmSync(sockets.path, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

const socketOf = (folder: string): string => join(folder, `.s.PGSQL.${port}`);

function makeFolder(path: string, account: Account): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (account.uid === undefined || account.gid === undefined) return;
  chownSync(path, account.uid, account.gid);
  chmodSync(path, 0o700);
}

/** Inside the data folder where the path is short enough; nothing is left behind there. */
function makeSocketFolder(folder: string, account: Account): { path: string; temporary: boolean } {
  const inside = join(folder, "run");
  if (Buffer.byteLength(socketOf(inside)) <= socketBytesMax) {
    makeFolder(inside, account);
    return { path: inside, temporary: false };
  }
  const parent = Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : "/tmp";
  const path = mkdtempSync(join(parent, "gavel-pg-"));
  makeFolder(path, account);
  return { path, temporary: true };
}

async function majorOf(data: string): Promise<string | null> {
  try {
    return (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new GavelError(
      "data-folder-unreadable",
      `The database in ${data} can not be read: ${String(error)}`,
      "Run Gavel as the user who made the data folder, or give the folder to the user who runs it (chown -R).",
    );
  }
}

/** Makes the database under another name and renames it when it is whole: a kill in the middle leaves nothing half-made. */
async function initialise(binaries: Binaries, account: Account, folder: string, data: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (name.startsWith("draft-")) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const draft = join(folder, `draft-${process.pid}`);
  try {
    await run(
      join(binaries.folder, "initdb"),
      ["-D", draft, "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "--data-checksums", "--no-instructions"],
      { ...account, cwd: "/", env: serverEnvironment(null), timeout: startSecondsMax * 1000 },
    );
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new GavelError(
      "postgres-start-failed",
      `PostgreSQL could not make its data folder: ${stderr.trim().slice(-2000) || String(error)}`,
      "Check that the disk has room and that the data folder may be written.",
      { cause: error },
    );
  }
  renameSync(draft, data);
}

/** Starts the server and waits until it answers; what a dead predecessor left is waited out, within the same limit. */
async function startServer(
  binaries: Binaries,
  account: Account,
  data: string,
  socketFolder: string,
): Promise<PostgresServer> {
  const deadline = Date.now() + startSecondsMax * 1000;
  for (;;) {
    const unrelatedPid = await stopStalePostmaster(data, deadline);
    const server = spawnServer({ binaries, account, data, socketFolder, port, unrelatedPid });
    if (await answersBefore(deadline, server, socketFolder)) return server;
    await server.stop();
    // Its predecessor was killed, and a process of that one has not noticed yet: gone in a moment.
    const passing = /shared memory block .* still in use|lock file .* already exists/.test(server.log());
    if (!passing || Date.now() > deadline) {
      throw new GavelError(
        "postgres-start-failed",
        `PostgreSQL did not start: ${server.log().trim().slice(-2000) || `no answer within ${startSecondsMax} s`}`,
        "Read PostgreSQL's words above; check the room on the disk and the rights of the data folder.",
      );
    }
    await sleep(200);
  }
}

async function answersBefore(deadline: number, server: PostgresServer, socketFolder: string): Promise<boolean> {
  while (Date.now() < deadline && !server.hasExited()) {
    const client = new Client({
      host: socketFolder,
      port,
      user,
      database: "postgres",
      ssl: false,
      connectionTimeoutMillis: 5000,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(15);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}
