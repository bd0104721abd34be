import { setTimeout as delay } from "node:timers/promises";
import { keepOutput, noOutput } from "./capped-output.ts";
import { type Guard, plainGuard } from "./guard.ts";
import { limitLife } from "./limit-life.ts";
import type { ProcessEnd, ProcessRequest, ProcessResult } from "./spawn.ts";
import { type ChildEnd, startChild, writeAll } from "./start-child.ts";

/** How long output that is still on its way is waited for, once the child has ended and its group is gone, in seconds. */
const drainSecondsMax = 2;

/**
 * Runs a program to its end, in its own process group, with exactly the environment given. Whatever the child does
 * (hangs, floods, forks, ignores its input) is a result; it never rejects. When it settles, the group is gone.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  return await runGuarded(request, plainGuard);
}

/** {@link runProcess} with the guard of a box. */
export async function runGuarded(request: ProcessRequest, guard: Guard): Promise<ProcessResult> {
  const began = performance.now();
  try {
    return { ...(await run(request, guard)), seconds: (performance.now() - began) / 1000 };
  } finally {
    guard.clean();
  }
}

async function run(request: ProcessRequest, guard: Guard): Promise<Omit<ProcessResult, "seconds">> {
  if (request.signal?.aborted === true) return neverRan("cancelled", "it was cancelled before it started");
  const child = startChild({
    ...request,
    stdin: request.stdin === null ? "closed" : "open",
    inputs: guard.inputs,
    control: guard.control,
  });
  if (typeof child === "string") return neverRan("not-started", child);

  const stdout = keepOutput(child.stdout, request.outputBytesMax);
  const stderr = keepOutput(child.stderr, request.outputBytesMax);
  guard.watch(child);
  const life = limitLife({
    ...request,
    kill: () => {
      child.kill();
      guard.kill();
    },
  });
  if (child.stdin !== null && request.stdin !== null) writeAll(child.stdin, request.stdin);

  const ended = await Promise.race([child.ended, life.hopeless.then(() => unkillable)]);
  life.stop();
  await guard.settle(child);
  await Promise.race([
    Promise.all([stdout.closed, stderr.closed]),
    delay(drainSecondsMax * 1000, null, { ref: false }),
  ]);
  child.kill();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  child.release();
  const output = { stdout: stdout.read(), stderr: stderr.read() };
  const cause = life.cause();
  if (ended.kind === "not-started") return neverRan("not-started", ended.reason);
  if (cause !== null) return { ...cause, exitCode: null, signal: ended.signal, ...output };
  const refusal = guard.refusal(ended);
  if (refusal !== null) return neverRan("not-started", refusal);
  if (ended.exitCode === null) {
    return {
      end: "signalled",
      exitCode: null,
      signal: ended.signal,
      reason: `it was killed (${ended.signal})`,
      ...output,
    };
  }
  return { end: "exited", exitCode: ended.exitCode, signal: null, reason: `exit code ${ended.exitCode}`, ...output };
}

/** The result of a child that was not even tried, and why. */
export function notStarted(reason: string): ProcessResult {
  return { ...neverRan("not-started", reason), seconds: 0 };
}

const unkillable: ChildEnd = { kind: "ended", exitCode: null, signal: null };

function neverRan(end: ProcessEnd, reason: string): Omit<ProcessResult, "seconds"> {
  return { end, exitCode: null, signal: null, stdout: noOutput, stderr: noOutput, reason };
}
