import { execFile } from "node:child_process";
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { GavelError } from "../errors.ts";

const run = promisify(execFile);

/**
 * Stops the server that a killed process left on a data folder. The caller holds the folder's lock, so nobody needs it.
 * Gives the pid that the folder's lock file names where that is another program's by now: it is left alone.
 */
export async function stopStalePostmaster(data: string, deadline: number): Promise<number | null> {
  const pid = await namedPid(data);
  if (pid === null || !isAlive(pid)) return null;
  if (!(await isPostmasterOf(pid, data))) return pid;
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    process.kill(pid, signal);
    const until = Math.min(deadline, Date.now() + 20_000);
    while (Date.now() < until) {
      if (!isAlive(pid) || !(await isPostmasterOf(pid, data))) return null;
      await sleep(20);
    }
  }
  throw new GavelError(
    "postgres-start-failed",
    `The PostgreSQL server ${pid} of an earlier start still runs on ${data} and does not stop.`,
    `End process ${pid} and start again.`,
  );
}

async function namedPid(data: string): Promise<number | null> {
  try {
    const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A postmaster works in its data folder; where /proc can not tell, its command line names it. */
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    try {
      return (await run("ps", ["-o", "command=", "-p", String(pid)], { timeout: 5000 })).stdout.includes(data);
    } catch {
      return false;
    }
  }
}
