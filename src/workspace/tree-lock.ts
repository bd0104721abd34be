import { readFileSync } from "node:fs";
import { open, readFile, unlink } from "node:fs/promises";

/**
 * A lock file names its holder by process id and start time, so that a tree left by a crash is taken back and a
 * reused process id is not mistaken for the holder.
 */
export async function takeLock(path: string): Promise<boolean> {
  // Once more after a dead holder's file was removed.
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const file = await open(path, "wx");
      await file.writeFile(`${process.pid} ${startTime(process.pid) ?? ""}`);
      await file.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isHeld(await readFile(path, "utf8").catch(() => ""))) return false;
      await freeLock(path);
    }
  }
  return false;
}

export async function freeLock(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}

function isHeld(content: string): boolean {
  const [pid = "", start = ""] = content.split(" ");
  if (!/^[1-9]\d*$/.test(pid)) return false;
  const now = startTime(Number(pid));
  if (now !== null) return now === start;
  try {
    process.kill(Number(pid), 0);
    // Alive, and no /proc to ask when it started.
    return start === "";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Clock ticks since boot at which the process began, or null where there is none or no /proc. */
function startTime(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything; the 22nd field is the 20th behind it.
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
