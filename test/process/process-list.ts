import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Ids of living processes of this machine whose command line holds the marker. */
export function findProcesses(marker: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readCommandLine(name).includes(marker))
    .map(Number);
}

/** A zombie has no command line any more: it counts as gone. */
function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Waits until the condition holds; throws when it does not within the limit. */
export async function waitUntil(what: string, condition: () => boolean, secondsMax = 15): Promise<void> {
  const until = performance.now() + secondsMax * 1000;
  while (!condition()) {
    if (performance.now() > until) throw new Error(`still not true after ${secondsMax} s: ${what}`);
    await delay(10);
  }
}
