import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "./support.ts";

/** A little program of test/store/programs in a process of its own. */
export interface Program {
  readonly pid: number;
  /** Lines it has printed so far. */
  lines(): readonly string[];
  /** Everything it wrote as errors and warnings. */
  complaints(): string;
  /** Waits until it has printed a line, or fails with what it did print. */
  printed(line: string | RegExp): Promise<string>;
  /** Ends it without a chance to tidy up, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  write(line: string): void;
  /** Closes its input (programs take that as the wish to end) and gives its exit code. */
  end(): Promise<number | null>;
}

const started = new Set<ChildProcess>();

export function runProgram(name: string, ...args: string[]): Program {
  const file = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  started.add(child);
  const exited = once(child, "exit").then(() => started.delete(child));
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  child.stdin.on("error", () => undefined);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const lines = (): readonly string[] => output.split("\n").slice(0, -1);
  return {
    pid: child.pid ?? 0,
    lines,
    complaints: () => complaints,
    printed: async (line) => {
      const isIt = (printed: string): boolean => (typeof line === "string" ? printed === line : line.test(printed));
      await until(`"${String(line)}" of ${name}`, () => lines().some(isIt) || hasEnded());
      const found = lines().find(isIt);
      if (found === undefined) throw new Error(`${name} ended without "${String(line)}":\n${output}\n${complaints}`);
      return found;
    },
    kill: async (signal = "SIGKILL") => {
      child.kill(signal);
      await exited;
    },
    signal: (signal) => void child.kill(signal),
    write: (line) => void child.stdin.write(`${line}\n`),
    end: async () => {
      child.stdin.end();
      await exited;
      return child.exitCode;
    },
  };
}

/** Ends what a failed test left running. */
export async function killPrograms(): Promise<void> {
  for (const child of started) {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}
