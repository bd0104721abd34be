import { execFile } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, relative } from "node:path";
import { promisify } from "node:util";
import { GavelError } from "../errors.ts";

const run = promisify(execFile);

/** The account PostgreSQL runs as; empty: our own. It refuses to run as root, so root picks another. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The account for a data folder: our own unless we are root. Then the owner of what is there already, else the user
 * postgres, else nobody.
 */
export async function findAccount(existingData: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(existingData, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      continue;
    }
  }
  return { uid: 65534, gid: 65534 };
}

/**
 * Makes sure that the account can reach a folder of ours. Only the folder itself, and folders in the system's
 * temporary folder, are opened, and only to the account's group and only to pass through; anything above is somebody
 * else's decision and leads to a GavelError.
 */
export async function openWayTo(folder: string, account: Account): Promise<void> {
  const { gid } = account;
  if (gid === undefined || (await canEnter(folder, account))) return;
  for (let at = folder; ; at = dirname(at)) {
    const stat = statSync(at);
    const passable = (stat.mode & 0o001) !== 0 || (stat.gid === gid && (stat.mode & 0o010) !== 0);
    const ours = at === folder || isInside(tmpdir(), at);
    if (!passable && ours && stat.uid === 0 && (stat.gid === 0 || stat.gid === gid)) {
      chownSync(at, stat.uid, gid);
      chmodSync(at, (stat.mode & 0o7777) | 0o010);
    }
    if (dirname(at) === at) break;
  }
  if (await canEnter(folder, account)) return;
  throw new GavelError(
    "data-folder-unreachable",
    `PostgreSQL does not run as root, and user ${account.uid} can not reach the data folder ${folder}.`,
    "Choose a data folder whose parents others may pass through (for example /var/lib/gavel), run Gavel as an ordinary user, or set DATABASE_URL.",
  );
}

/** Asks the system, not the mode bits: access lists and read-only mounts count too. */
async function canEnter(folder: string, account: Account): Promise<boolean> {
  return (await outputOf("/bin/sh", ["-c", 'cd "$1"', "sh", folder], account)) !== null;
}

/** What a program prints when it runs as that account; null where it does not start or end well within 10 seconds. */
export async function outputOf(file: string, args: readonly string[], account: Account): Promise<string | null> {
  try {
    return (await run(file, args, { ...account, cwd: "/", timeout: 10_000 })).stdout;
  } catch {
    return null;
  }
}

function isInside(parent: string, path: string): boolean {
  const way = relative(parent, path);
  return way !== "" && !way.startsWith("..");
}
