import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { GavelError } from "../errors.ts";
import {
  baseEnvironment,
  hardening,
  isAllowedUrl,
  type Network,
  networkEnvironment,
  networkFlags,
  redact,
} from "./git-environment.ts";

export interface GitOptions {
  /** Our own git folder. Always explicit: git never looks for one. */
  readonly gitDir: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly stdin?: Uint8Array | string;
  /** Default 120. */
  readonly timeoutSeconds?: number;
  /** Of standard output; default 64 MiB. Above, the command fails: half an answer of git is none. */
  readonly outputBytesMax?: number;
  /** Exit codes that are answers, beside 0. */
  readonly exitCodes?: readonly number[];
  readonly network?: Network;
  /** Added to the environment: author and committer. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface GitResult {
  readonly stdout: Buffer;
  /** At most 64 KiB, without secrets. */
  readonly stderr: string;
  readonly exitCode: number;
}

export const outputBytesMaxDefault = 64 * 1024 * 1024;
const stderrBytesMax = 64 * 1024;

type Stop = { readonly code: string; readonly message: string; readonly cure: string };

/**
 * Runs git: hardened, without a shell, in `/`, with a time limit and an output limit. The only place that does.
 * Rejects with a `GavelError`: `git-missing`, `git-failed`, `git-timed-out`, `git-cancelled`, `git-output-too-large`,
 * `git-url-refused`. No error text holds a token.
 */
export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const command = args[0] ?? "";
  const { network } = options;
  if (network !== undefined && !isAllowedUrl(network.url)) {
    throw new GavelError(
      "git-url-refused",
      `git may not speak to ${redact(network.url, network)}`,
      "Use an https URL without a user name in it.",
    );
  }
  if (options.signal?.aborted === true) throw cancelled(command);

  const flags = [...hardening, ...(network === undefined ? [] : networkFlags(network))];
  const child = spawn("git", [...flags.flatMap((flag) => ["-c", flag]), ...args], {
    cwd: "/",
    env: environment(options),
    stdio: ["pipe", "pipe", "pipe"],
    // Its own process group, so that a limit or a cancel also ends the helpers git starts (git-remote-https).
    detached: true,
  });
  const end = await conduct(child, command, options);
  const stderr = redact(end.stderr, network);
  if (end.stop !== null) throw new GavelError(end.stop.code, end.stop.message, end.stop.cure);
  const exitCode = end.exitCode ?? -1;
  if (exitCode !== 0 && options.exitCodes?.includes(exitCode) !== true) {
    const how = end.exitCode === null ? `was killed (${end.signal ?? "unknown"})` : `ended with exit code ${exitCode}`;
    const message = redact(`git ${command} ${how}: ${lastLines(stderr)}`, network);
    throw new GavelError("git-failed", message, "See what git says.");
  }
  return { stdout: end.stdout, stderr, exitCode };
}

function environment(options: GitOptions): Record<string, string> {
  return {
    ...baseEnvironment(),
    ...(options.network === undefined ? {} : networkEnvironment(options.network)),
    ...options.env,
    GIT_DIR: options.gitDir,
    ...(options.workTree === undefined ? {} : { GIT_WORK_TREE: options.workTree }),
    ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
  };
}

interface End {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stop: Stop | null;
}

/** Feeds and drains one child until it is gone. */
function conduct(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  command: string,
  options: GitOptions,
): Promise<End> {
  const timeoutSeconds = options.timeoutSeconds ?? 120;
  const outputBytesMax = options.outputBytesMax ?? outputBytesMaxDefault;
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let stdoutBytes = 0;
    let stderrBytes = 0;
    let stop: Stop | null = null;

    const halt = (why: Stop): void => {
      stop ??= why;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      const message = `git ${command} took longer than ${timeoutSeconds} s`;
      halt({ code: "git-timed-out", message, cure: "Try again; look at the network and the size of the repository." });
    }, timeoutSeconds * 1000);
    const onAbort = (): void => halt(cancelled(command));
    options.signal?.addEventListener("abort", onAbort, { once: true });

    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes <= outputBytesMax) stdout.push(chunk);
      else {
        stdout.length = 0;
        const message = `git ${command} printed more than ${outputBytesMax} bytes`;
        halt({ code: "git-output-too-large", message, cure: "Make the change smaller, or split it." });
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderrBytes < stderrBytesMax) stderr.push(chunk.subarray(0, stderrBytesMax - stderrBytes));
      stderrBytes += chunk.length;
    });
    // A child that ends early breaks the pipe; its exit code tells why.
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    child.on("error", () => {
      stop ??= {
        code: "git-missing",
        message: "git could not be started",
        cure: "Install git 2.39 or newer and put it on the search path.",
      };
    });
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      const text = Buffer.concat(stderr).toString("utf8");
      resolve({ stdout: Buffer.concat(stdout), stderr: text, exitCode, signal, stop });
    });
  });
}

function cancelled(command: string): GavelError {
  return new GavelError("git-cancelled", `git ${command} was cancelled`, "Nothing: someone asked for it.");
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-8).join("\n").slice(-2000);
}
