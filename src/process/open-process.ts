import { PassThrough } from "node:stream";
import { keepOutput, type KeptOutput } from "./capped-output.ts";
import type { Guard } from "./guard.ts";
import { type Life, limitLife } from "./limit-life.ts";
import type { BoxProcess } from "./sandbox.ts";
import type { ProcessRequest } from "./spawn.ts";
import { type Child, startChild } from "./start-child.ts";

/**
 * Starts a child for a conversation over its streams, under the same limits as a run. Its standard output goes to the
 * caller as it comes, held back by the caller's own reading; of the standard error at most `outputBytesMax` bytes are
 * kept. A child that could not be started is one that ended with exit code null and the reason as its error output.
 */
export function openProcess(request: Omit<ProcessRequest, "stdin">, guard: Guard): BoxProcess {
  const child =
    request.signal?.aborted === true
      ? "it was cancelled before it started"
      : startChild({ ...request, stdin: "open", inputs: guard.inputs, control: guard.control });
  if (typeof child === "string") {
    guard.clean();
    return neverOpened(child);
  }

  child.stdin?.on("error", () => {});
  child.stdout.on("error", () => {});
  const stderr = keepOutput(child.stderr, request.outputBytesMax);
  guard.watch(child);
  const kill = (): void => {
    child.kill();
    guard.kill();
  };
  const life = limitLife({ ...request, kill });
  const exited = readEnd(child, guard, life, stderr).finally(() => guard.clean());
  return { stdin: child.stdin ?? new PassThrough(), stdout: child.stdout, exited, kill };
}

async function readEnd(
  child: Child,
  guard: Guard,
  life: Life,
  stderr: KeptOutput,
): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
  const ended = await Promise.race([child.ended, life.hopeless]);
  life.stop();
  await guard.settle(child);
  child.kill();
  child.release();
  const { text } = stderr.read();
  const cause = life.cause();
  if (cause !== null || ended === undefined) return { exitCode: null, stderr: `${text}\n${cause?.reason}`.trimStart() };
  if (ended.kind === "not-started") return { exitCode: null, stderr: ended.reason };
  const refusal = guard.refusal(ended);
  return refusal === null ? { exitCode: ended.exitCode, stderr: text } : { exitCode: null, stderr: refusal };
}

/** The conversation that never began, and why. */
export function neverOpened(reason: string): BoxProcess {
  const stdout = new PassThrough();
  stdout.end();
  const stdin = new PassThrough();
  stdin.resume();
  return { stdin, stdout, exited: Promise.resolve({ exitCode: null, stderr: reason }), kill: () => {} };
}
