import { execFile } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const millisecondsMax = 60_000;

/** Runs a program under the Node of the tests, to its end, with an environment of exactly `env` beside PATH and HOME. */
export async function runNode(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...options.env };
  return await new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...args],
      { cwd: options.cwd ?? root, env, timeout: millisecondsMax, killSignal: "SIGKILL", maxBuffer: 10_000_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === "number") resolve({ exitCode: code, stdout, stderr });
        else reject(new Error(`it did not end by itself: ${error?.message}\n${stdout}${stderr}`));
      },
    );
  });
}

/** Runs the command line from its sources. */
export async function runCli(args: readonly string[], options: Parameters<typeof runNode>[1] = {}): Promise<Ran> {
  return await runNode([join(root, "bin", "gavel.js"), ...args], options);
}
