import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Input } from "./limits.ts";
import { countOf, cutMiddle, resultCharactersMax, textOf } from "./limits.ts";

const secondsDefault = 120;
export const runSecondsMax = 600;

/** Kept of the output: head and tail, each this long. */
const keptBytesMax = 64 * 1024;

/** After the command's own end its pipes may be held open by what it left behind; that is not waited for longer. */
const drainMilliseconds = 200;

const running = new Set<ChildProcess>();

/** Ends every command with all of its group. */
export function killAll(): void {
  for (const child of running) killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Runs a shell command in the workspace. What it leaves running ends with it. */
export async function runTool(root: string, input: Input): Promise<string> {
  const command = textOf(input, "command");
  const seconds = countOf(input, "timeout_seconds", secondsDefault, runSecondsMax);
  const { output, end } = await runProgram("bash", ["-c", command], root, seconds);
  const text = cutMiddle(output, resultCharactersMax - 200);
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}[${end}]`;
}

/** Runs a program to its end. Rejects only when it can not be started. */
export async function runProgram(
  file: string,
  args: readonly string[],
  cwd: string,
  seconds: number,
): Promise<{ readonly output: string; readonly end: string }> {
  // A group of its own, so that a time limit ends all of it and nothing else.
  const child = spawn(file, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const output = keepEnds();
  child.stdout.on("data", output.add);
  child.stderr.on("data", output.add);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, seconds * 1_000);
  try {
    const end = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    });
    await Promise.race([closed, wait(drainMilliseconds)]);
    return { output: output.text(), end: timedOut ? `cut off after ${seconds} seconds` : end };
  } finally {
    clearTimeout(timer);
    killGroup(child);
    running.delete(child);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Keeps the first and the last bytes of what may be endless. */
function keepEnds(): { add: (chunk: Buffer) => void; text: () => string } {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let left = 0;
  return {
    add(chunk) {
      const room = keptBytesMax - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = chunk.subarray(Math.max(0, room));
      if (rest.length === 0) return;
      const both = Buffer.concat([tail, rest]);
      tail = both.subarray(Math.max(0, both.length - keptBytesMax));
      left += both.length - tail.length;
    },
    text: () =>
      clean(
        left === 0
          ? Buffer.concat([head, tail]).toString("utf8")
          : `${head.toString("utf8")}\n… [${left} bytes left out] …\n${tail.toString("utf8")}`,
      ),
  };
}

/** Colours out, and of a line that a progress bar wrote over only what stood there last. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what it takes out
  const plain = text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\n]*\u0007|\0/g, "");
  // Line by line: a pattern over everything takes a minute for a long line.
  return plain
    .split("\n")
    .map((line) => line.replace(/\r$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}
