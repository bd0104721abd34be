import pLimit from "p-limit";

/** Requests of one installation that only read, at the same time. */
const readsAtOnceMax = 10;

/** Content that GitHub lets one installation create in a minute before its secondary limit bites (80), with a margin. */
const writesPerMinuteMax = 75;

const minuteMilliseconds = 60_000;

/** Longest single wait that a limit may impose, in milliseconds; a longer one is an error that the caller sees. */
export const waitMillisecondsMax = 15 * minuteMilliseconds;

/**
 * One installation's place in the queue. Probot's own throttle shares one write a second among *all* installations;
 * this one follows what GitHub says to each: reads side by side, writes one after the other, and nothing at all while a limit holds.
 */
export interface Throttle {
  run<T>(kind: "read" | "write", request: () => Promise<T>): Promise<T>;
  /** GitHub said to wait: nobody of this installation asks before that. */
  hold(milliseconds: number): void;
}

export function createThrottle(now: () => number = Date.now): Throttle {
  const reads = pLimit(readsAtOnceMax);
  const writes = pLimit(1);
  const written: number[] = [];
  let heldUntil = 0;

  const pass = async (kind: "read" | "write"): Promise<void> => {
    for (;;) {
      while (written[0] !== undefined && written[0] <= now() - minuteMilliseconds) written.shift();
      const full = kind === "write" && written.length >= writesPerMinuteMax;
      const freeAt = full ? (written[0] ?? 0) + minuteMilliseconds : 0;
      const wait = Math.max(heldUntil, freeAt) - now();
      if (wait <= 0) break;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    if (kind === "write") written.push(now());
  };

  return {
    run: (kind, request) =>
      (kind === "read" ? reads : writes)(async () => {
        await pass(kind);
        return await request();
      }),
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, now() + Math.min(milliseconds, waitMillisecondsMax));
    },
  };
}
