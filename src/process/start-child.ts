import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Duplex, Readable, Writable } from "node:stream";

/** What a child is started with. Nothing of ours is inherited but what stands here. */
export interface ChildRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Closed: reading it gives the end at once, and never a terminal. */
  readonly stdin: "open" | "closed";
  /** Texts that the child reads at the descriptors 3, 4, … */
  readonly inputs: readonly string[];
  /** Whether three more follow: it reports on the first, asks on the second for our word to begin, and ends with the third. */
  readonly control: boolean;
}

export type ChildEnd =
  | { readonly kind: "ended"; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: "not-started"; readonly reason: string };

export interface Child {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: { readonly report: Readable; readonly go: Duplex; readonly life: Duplex } | null;
  /** Settles when the child itself ended; its streams may still be open in grandchildren. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Kills the child's whole process group at once. */
  kill(): void;
  /** Closes our side of everything behind the standard streams. */
  release(): void;
}

/** Starts a child as the leader of its own process group. A string says why it could not be started. */
export function startChild(request: ChildRequest): Child | string {
  let child: ChildProcess;
  try {
    child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: true,
      shell: false,
      stdio: [
        request.stdin === "open" ? "pipe" : "ignore",
        "pipe",
        "pipe",
        ...request.inputs.map(() => "pipe" as const),
        ...(request.control ? (["pipe", "pipe", "pipe"] as const) : []),
      ],
    });
  } catch (error) {
    // Some reasons are thrown (argument list too long, NUL in an argument), others come as an event.
    return explain(error, request);
  }
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once("error", (error) => resolve({ kind: "not-started", reason: explain(error, request) }));
    child.once("exit", (exitCode, signal) => resolve({ kind: "ended", exitCode, signal }));
  });
  // Later errors (a failed kill) have no other listener and must not end our process.
  child.on("error", () => {});

  const first = 3;
  // Node's pipes behind the standard streams are sockets, open in both directions.
  const socket = (descriptor: number) => child.stdio[descriptor] as Duplex;
  for (const [index, input] of request.inputs.entries()) writeAll(socket(first + index), input);
  const report = first + request.inputs.length;
  return {
    stdin: child.stdin,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    control: request.control ? { report: socket(report), go: socket(report + 1), life: socket(report + 2) } : null,
    ended,
    kill: () => killGroup(child.pid),
    release: () => {
      for (const stream of child.stdio.slice(first)) stream?.destroy();
    },
  };
}

/** Writes and closes, without waiting: the stream's own queue takes it. A reader that went away is the reader's right. */
export function writeAll(stream: Writable, bytes: string | Uint8Array): void {
  stream.on("error", () => {});
  stream.end(bytes);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

function explain(error: unknown, { file, cwd }: ChildRequest): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The system says the same for a missing program and a missing folder.
  if ((code === "ENOENT" || code === "ENOTDIR") && !existsSync(cwd)) return `the working folder ${cwd} does not exist`;
  if (code === "ENOENT") return `${file} is not installed`;
  if (code === "EACCES") return `${file} may not be run: permission denied`;
  if (code === "E2BIG") return "its arguments are longer than the system allows";
  return `${file} could not be started: ${message}`;
}
