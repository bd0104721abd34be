import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ChainEvent } from "../src/domain/event.ts";
import type { Step } from "../src/domain/step.ts";

/** What the server's log says that the demo shows. */
export type Told =
  | {
      readonly kind: "event";
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly chain: string;
      readonly sequence: number;
      readonly event: ChainEvent;
    }
  | { readonly kind: "decided"; readonly chain: string; readonly step: Step; readonly reason: string }
  | { readonly kind: "progress"; readonly chain: string; readonly text: string }
  | { readonly kind: "problem"; readonly text: string };

export interface Server {
  readonly url: string;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>;
}

/** Longest wait for a server to be ready, in milliseconds. */
const startMillisecondsMax = 90_000;

/** Longest wait for a server to stop by itself, in milliseconds. */
const stopMillisecondsMax = 30_000;

/** Last lines of a server's output that an error shows. */
const linesKept = 40;

/** Starts Gavel's own server as a process of its own, with an environment of exactly `env`. */
export async function startServer(
  entry: string,
  env: Record<string, string>,
  tell: (told: Told) => void,
): Promise<Server> {
  const child = spawn(process.execPath, [entry], { env, stdio: ["ignore", "pipe", "pipe"] });
  const last: string[] = [];
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // A demo that dies takes its server with it.
  const onExit = (): void => void child.kill("SIGKILL");
  process.once("exit", onExit);
  void exited.then(() => process.off("exit", onExit));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the server ${why}:\n${last.join("\n")}`));
    const timer = setTimeout(() => fail("was not ready in time"), startMillisecondsMax);
    child.once("exit", (code) => fail(`ended with exit code ${code}`));
    const read = (line: string): void => {
      last.push(line);
      if (last.length > linesKept) last.shift();
      const entry = parse(line);
      if (entry === null) return;
      if (entry["msg"] === "ready" && typeof entry["url"] === "string") {
        clearTimeout(timer);
        resolve(entry["url"]);
      }
      const told = toldBy(entry);
      if (told !== null) tell(told);
    };
    createInterface({ input: child.stdout }).on("line", read);
    createInterface({ input: child.stderr }).on("line", read);
  });
  return {
    url,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMillisecondsMax);
      await exited;
      clearTimeout(timer);
    },
  };
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function toldBy(entry: Record<string, unknown>): Told | null {
  const chain = typeof entry["chain"] === "string" ? entry["chain"] : "";
  switch (entry["msg"]) {
    case "event":
      return {
        kind: "event",
        at: Number(entry["time"]),
        chain,
        sequence: Number(entry["sequence"]),
        event: entry["event"] as ChainEvent,
      };
    case "decided":
      return { kind: "decided", chain, step: entry["step"] as Step, reason: String(entry["reason"]) };
    case "progress": {
      const progress = entry["progress"] as { kind: string; name?: string; detail?: string };
      return progress.kind === "tool"
        ? { kind: "progress", chain, text: `${progress.name ?? ""} ${progress.detail ?? ""}`.trim() }
        : null;
    }
    default: {
      const error = entry["err"] as { message?: string } | undefined;
      return Number(entry["level"]) >= 50
        ? { kind: "problem", text: `${String(entry["msg"])}: ${error?.message ?? ""}` }
        : null;
    }
  }
}
