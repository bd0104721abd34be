import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Guard } from "./guard.ts";

/** How long the end of everything in a box is waited for, and how often it is looked at. */
const goneMillisecondsMax = 5_000;
const lookMilliseconds = 2;
/** How long bubblewrap's report is waited for after its end. */
const reportMillisecondsMax = 1_000;

/**
 * Watches bubblewrap: its report names the box's first process. When that one is gone, the kernel has ended every other
 * process of the box, whatever session or group it fled to. Nobody can read the workspace safely before.
 */
export function boxGuard(inputs: readonly string[]): Guard {
  let report = "";
  let errors = "";
  let first: { readonly pid: number; readonly started: string } | null = null;
  let reportClosed: Promise<unknown> = Promise.resolve();

  const isAlive = (): boolean => first !== null && readStart(first.pid) === first.started;
  const kill = (): void => {
    if (first === null || !isAlive()) return;
    try {
      process.kill(first.pid, "SIGKILL");
    } catch {
      // Gone between the look and the kill.
    }
  };
  return {
    inputs,
    control: true,
    watch(child) {
      child.stderr.on("data", (chunk: Buffer) => {
        if (errors.length < 2_000) errors += chunk.toString();
      });
      if (child.control === null) return;
      const { report: stream, go, life } = child.control;
      for (const one of [go, life]) one.on("error", () => {});
      // The first program in the box is ready: from here on the box dies with us.
      go.once("data", () => go.end("go\n", () => go.destroy()));
      reportClosed = new Promise((resolve) => stream.once("close", resolve));
      stream.on("error", () => {});
      stream.on("data", (chunk: Buffer) => {
        report += chunk.toString();
        const pid = /"child-pid": ?(\d+)/.exec(report)?.[1];
        if (first !== null || pid === undefined) return;
        const started = readStart(Number(pid));
        if (started !== null) first = { pid: Number(pid), started };
      });
    },
    kill,
    async settle() {
      await Promise.race([reportClosed, delay(reportMillisecondsMax, null, { ref: false })]);
      const until = performance.now() + goneMillisecondsMax;
      while (isAlive() && performance.now() < until) {
        kill();
        await delay(lookMilliseconds);
      }
    },
    refusal: () => (report.includes('"exit-code"') ? null : `the box could not be made: ${errors.trim()}`),
    clean() {},
  };
}

/** When a process started, in the kernel's ticks: tells it from a later one with the same id. null when it ended. */
function readStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything; the state is the first word behind it.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? null : (rest[18] ?? null);
  } catch {
    return null;
  }
}
