// A lock between processes, as a file that names its holder. Plain JavaScript for any Node.
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const lookMilliseconds = 200;

/**
 * Takes the lock at `path`, waiting up to `secondsMax` for a holder that lives; `onWait` is called once when it has to.
 * Gives null when the time is over, and throws where the folder can not be written. A holder that died is replaced.
 */
export async function takeLock(path, secondsMax, onWait) {
  const me = `${process.pid} ${randomUUID()}`;
  const draft = `${path}.${me.split(" ")[1]}`;
  const deadline = Date.now() + secondsMax * 1000;
  let told = false;
  // A whole file under the lock's name, or none: whoever reads it never sees half a line.
  writeFileSync(draft, me);
  try {
    for (;;) {
      if (link(draft, path)) break;
      const holder = read(path);
      if (holder === null) continue;
      if (!isAlive(Number(holder.split(" ")[0])) && succeed(path, holder, draft)) break;
      if (!told) onWait();
      told = true;
      if (Date.now() > deadline) return null;
      await sleep(lookMilliseconds);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release() {
      if (read(path) === me) rmSync(path, { force: true });
    },
  };
}

/** Each dead holder has one successor: the first to make the file that bears the dead one's name. */
function succeed(path, holder, draft) {
  const claim = `${path}.after-${holder.split(" ")[1]}`;
  if (!link(draft, claim)) return false;
  // Between the look at the lock and the claim, an earlier successor may have come and gone.
  const mine = read(path) === holder;
  if (mine) renameSync(draft, path);
  rmSync(claim, { force: true });
  return mine;
}

function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
