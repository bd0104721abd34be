import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Mount, Sandbox } from "../../process/sandbox.ts";
import type { TurnRequest } from "../engine.ts";
import { resultCharactersMax } from "./tools/limits.ts";
import { runSecondsMax } from "./tools/run.ts";

/** The tool server beside this module: its source, or its own bundle where this is one. */
const here = dirname(fileURLToPath(import.meta.url));
export const toolServerFile = join(here, `tool-server${extname(fileURLToPath(import.meta.url))}`);
const toolFolder = join(here, "tools");

/** Where it is seen in the box. */
const insideFolder = "/opt/gavel";

const startSecondsMax = 30;
/** On top of a command's own limit. */
const answerSecondsMax = 30;
/** A box that was told to end is killed after this. */
const endSecondsMax = 2;
/** Longest line from the box. It is not trusted: what the agent started can write to its streams. */
const lineCharactersMax = 8 * resultCharactersMax;

export interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
}

/** The tool server in its sandbox, for one turn. */
export interface ToolBox {
  /** Performs a tool. Rejects when the box is gone, does not answer in time, or the signal aborts. */
  call(tool: string, input: object, signal: AbortSignal): Promise<ToolAnswer>;
  /** Why the box is of no use any more, or null. */
  failed(): { readonly end: "crashed"; readonly reason: string } | null;
  /** Ends the box and everything in it. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(answer: ToolAnswer): void;
  reject(error: Error): void;
}

/** Starts the tool server. Rejects, with a reason in words, when it does not come up. */
export async function openToolBox(
  sandbox: Sandbox,
  request: Pick<TurnRequest, "mode" | "workspace" | "mounts" | "timeoutSeconds" | "signal">,
): Promise<ToolBox> {
  const inBox = sandbox.kind !== "none";
  const own: Mount[] = [toolServerFile, ...(existsSync(toolFolder) ? [toolFolder] : [])].map((source) => ({
    source,
    target: source.replace(here, insideFolder),
    access: "read",
  }));
  const box = sandbox.open({
    profile: request.mode === "implement" ? "implementer" : "judge",
    workspace: request.workspace,
    mounts: [...request.mounts, ...own],
    argv: [
      "node",
      inBox ? toolServerFile.replace(here, insideFolder) : toolServerFile,
      request.mode,
      sandbox.workspacePath(request.workspace),
    ],
    workingDirectory: "",
    env: {},
    timeoutSeconds: request.timeoutSeconds + answerSecondsMax,
    outputBytesMax: 1024 * 1024,
    // Not the turn's signal: the server first ends what it started, and only then is killed (see close).
  });

  const waiting = new Map<number, Waiting>();
  let failure: Error | null = null;
  let ready = () => undefined as void;
  const fail = (error: Error) => {
    failure ??= error;
    for (const one of waiting.values()) one.reject(failure);
    waiting.clear();
  };
  box.stdin.on("error", () => undefined);
  void box.exited.then(({ exitCode, stderr }) =>
    fail(new Error(`the tools' process ended (${exitCode ?? "killed"}) ${stderr.slice(-400)}`.trim())),
  );
  const readLine = (line: string) => {
    const answer = parseAnswer(line);
    if (answer === "ready") return ready();
    if (answer === null) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  };
  let held = 0;
  box.stdout.on("data", (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    held = newline === -1 ? held + chunk.length : chunk.length - newline - 1;
    if (held <= lineCharactersMax * 4) return;
    fail(new Error("the tools' process wrote a line without an end"));
    box.kill();
  });
  createInterface({ input: box.stdout }).on("line", readLine);

  async function close(): Promise<void> {
    box.stdin.end();
    await Promise.race([box.exited, wait(endSecondsMax * 1_000, undefined, { ref: false })]);
    box.kill();
    await box.exited;
  }

  let lastId = 0;
  try {
    await bounded<void>(startSecondsMax, "the tools' process was not ready", request.signal, (resolve, reject) => {
      ready = () => resolve();
      waiting.set(0, { resolve: () => resolve(), reject });
    });
    waiting.delete(0);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    call(tool, input, signal) {
      if (failure !== null) return Promise.reject(failure);
      const id = (lastId += 1);
      const seconds = answerSecondsMax + (tool === "run" ? runSecondsMax : 0);
      return bounded<ToolAnswer>(seconds, `the tool "${tool}" did not answer`, signal, (resolve, reject) => {
        waiting.set(id, { resolve, reject });
        box.stdin.write(`${JSON.stringify({ id, tool, input })}\n`);
      }).finally(() => waiting.delete(id));
    },
    failed: () => (failure === null ? null : { end: "crashed", reason: failure.message }),
    close,
  };
}

/** Waits for what `begin` settles, not longer than `seconds`, and not after the signal aborts. */
function bounded<T>(
  seconds: number,
  what: string,
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  let stop = () => undefined as void;
  const settled = new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} within ${seconds} seconds`)), seconds * 1_000);
    const onAbort = () => reject(new Error("cancelled"));
    signal.addEventListener("abort", onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    if (signal.aborted) onAbort();
    else begin(resolve, reject);
  });
  return settled.finally(() => stop());
}

function parseAnswer(line: string): "ready" | (ToolAnswer & { readonly id: number }) | null {
  try {
    const told = JSON.parse(line) as Record<string, unknown> | null;
    if (told?.["ready"] === true) return "ready";
    const { id, ok, text } = told ?? {};
    if (typeof id !== "number" || typeof text !== "string") return null;
    return { id, ok: ok === true, text: text.slice(0, resultCharactersMax) };
  } catch {
    return null;
  }
}
