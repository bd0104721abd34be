import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { GavelError } from "../errors.ts";

/** A lock on a data folder. */
export interface FolderLock {
  release(): void;
}

/** Who wrote a lock. `pid: null` after a release: the file stays, so that its number is never used twice. */
interface Holder {
  readonly pid: number | null;
  /** Tells a process from a later one with the same pid; null where the system does not say. */
  readonly startedAt: string | null;
  /** A pid means something only on this machine and in this container. */
  readonly place: string;
}

const prefix = "lock-";
const triesMax = 20;

/**
 * Takes the one lock of a data folder, or throws a GavelError that names the process which holds it. The lock of a
 * dead process is taken over. `socket` is where a holder whose pid we can not see (another container) would answer.
 *
 * Node has no flock, and "read, see that it is stale, delete, create" lets two processes both win. So a lock is a
 * numbered file that is only ever created, exclusively; the highest number counts; whoever created a number that is
 * not the highest any more steps back.
 */
export async function lockFolder(folder: string, socket: string): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < triesMax; tries++) {
    const numbers = lockNumbers(folder);
    const last = numbers.at(-1) ?? 0;
    const holder = readHolder(fileOf(folder, last));
    if (holder !== null && (await isAlive(holder, socket))) throw heldBy(folder, holder);
    const mine = fileOf(folder, last + 1);
    if (!createExclusively(folder, mine)) continue;
    if (lockNumbers(folder).at(-1) !== last + 1) {
      unlinkSync(mine);
      continue;
    }
    for (const number of numbers) forget(fileOf(folder, number));
    return { release: () => writeFileSync(mine, JSON.stringify({ ...self(), pid: null })) };
  }
  throw new GavelError(
    "data-folder-locked",
    `Several processes are starting on the data folder ${folder}.`,
    "Start one Gavel for each data folder.",
  );
}

const fileOf = (folder: string, number: number): string => join(folder, prefix + String(number));

function lockNumbers(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
}

/** Written whole under another name and then linked: nobody ever reads half a lock. */
function createExclusively(folder: string, file: string): boolean {
  const draft = join(folder, `draft-${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(self()), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function forget(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    // Gone meanwhile, or torn by a machine that lost power: nobody alive wrote it.
    return null;
  }
}

function self(): Holder {
  return { pid: process.pid, startedAt: startOf(process.pid), place: place() };
}

async function isAlive(holder: Holder, socket: string): Promise<boolean> {
  if (holder.pid === null) return false;
  if (holder.place !== place()) return await answers(socket);
  if (holder.startedAt !== null) return startOf(holder.pid) === holder.startedAt;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Clock ticks since boot at which a process started, from /proc; null where there is no such process or no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may hold spaces; the 22nd is the start.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function place(): string {
  try {
    return `${hostname()} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const end = (answer: boolean): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(2000, () => end(true));
    connection.once("connect", () => end(true));
    connection.once("error", () => end(false));
  });
}

function heldBy(folder: string, holder: Holder): GavelError {
  const where = holder.place === place() ? `process ${holder.pid}` : `a Gavel on ${holder.place.split(" ")[0]}`;
  return new GavelError(
    "data-folder-locked",
    `The data folder ${folder} is in use by ${where}.`,
    "Stop it, or give this one a data folder of its own. For several processes on the same work set DATABASE_URL.",
  );
}
