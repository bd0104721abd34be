/** Why we ended a child before it ended by itself. */
export type Cause = { readonly end: "timed-out" | "cancelled"; readonly reason: string };

export interface Life {
  /** Set as soon as the child was killed by us. */
  cause(): Cause | null;
  /** Settles after a kill when even the kill had no effect for a while, so that nobody waits for ever. */
  readonly hopeless: Promise<void>;
  /** The child ended: the clock and the signal are of no interest any more. */
  stop(): void;
}

/** The longest timer of JavaScript, in milliseconds. */
const timerMillisecondsMax = 2 ** 31 - 1;

/** A process in an uninterruptible wait of the kernel outlives SIGKILL; after this long it is given up. */
const killSecondsMax = 10;

/** Kills when the time is over or the signal says so, whichever comes first. */
export function limitLife(limits: {
  timeoutSeconds: number;
  signal?: AbortSignal | undefined;
  kill: () => void;
}): Life {
  const { timeoutSeconds, signal, kill } = limits;
  let cause: Cause | null = null;
  let giveUp = (): void => {};
  const hopeless = new Promise<void>((resolve) => (giveUp = resolve));
  let lastTimer: NodeJS.Timeout | undefined;

  function end(why: Cause): void {
    if (cause !== null) return;
    cause = why;
    kill();
    lastTimer = setTimeout(giveUp, killSecondsMax * 1000);
  }
  const onAbort = (): void => end({ end: "cancelled", reason: "it was cancelled" });
  const timer = setTimeout(
    () => end({ end: "timed-out", reason: `it took longer than its limit of ${timeoutSeconds} seconds` }),
    Math.min(Math.max(timeoutSeconds, 0) * 1000, timerMillisecondsMax),
  );
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  function stop(): void {
    clearTimeout(timer);
    clearTimeout(lastTimer);
    signal?.removeEventListener("abort", onAbort);
  }
  return { cause: () => cause, hopeless, stop };
}
