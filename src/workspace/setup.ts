import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessResult } from "../process/spawn.ts";
import type { Sandbox } from "../process/sandbox.ts";
import { repositoryLayout } from "./layout.ts";
import { setAside } from "./set-aside.ts";
import { openTrash } from "./trash.ts";
import type { GitRepository } from "./workspace.ts";

export { layIn } from "./lay-in.ts";

export interface SetupOptions {
  readonly dataFolder: string;
  /** The commands and what they read come from the base, never from a change. */
  readonly baseTree: string;
  readonly commands: readonly string[];
  readonly sandbox: Sandbox;
  readonly signal?: AbortSignal | undefined;
  /** For all commands together. */
  readonly timeoutSeconds: number;
}

export interface Setup {
  /** Hash of the base tree and the commands. */
  readonly key: string;
  /** Holds the outputs, for {@link layIn}; null where there are none. */
  readonly folder: string | null;
  /** 0 where the outputs were there already. */
  readonly seconds: number;
  /** Which command failed and how, in words a user may see; null when all is well. */
  readonly failure: string | null;
  /** Links that lead out of the tree: not among the outputs. */
  readonly leftOut: readonly string[];
}

const outputBytesMax = 64 * 1024;
const setupsKept = 16;
const unusedHoursMin = 24;

/**
 * Runs the setup commands on a fresh checkout of the base, in the sandbox, and keeps what they left under ignored
 * names (installed packages, build caches). An agent's own ignored files never take part: every tree gets these.
 */
export async function prepareSetup(repository: GitRepository, options: SetupOptions): Promise<Setup> {
  const { baseTree, commands } = options;
  const key = createHash("sha256")
    .update(JSON.stringify([baseTree, commands]))
    .digest("hex")
    .slice(0, 40);
  const nothing: Setup = { key, folder: null, seconds: 0, failure: null, leftOut: [] };
  if (commands.length === 0) return nothing;
  const layout = repositoryLayout(options.dataFolder, repository.key);
  const folder = join(layout.setups, key);
  if (await isThere(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return { ...nothing, folder };
  }

  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const tree = await repository.openTree(baseTree);
  try {
    for (const command of commands) {
      const result = await options.sandbox.run({
        profile: "setup",
        workspace: tree.path,
        mounts: [],
        argv: ["bash", "-o", "pipefail", "-c", command],
        workingDirectory: "",
        env: {},
        stdin: null,
        timeoutSeconds: Math.max(1, options.timeoutSeconds - seconds()),
        outputBytesMax,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      if (result.end !== "exited" || result.exitCode !== 0) {
        return { ...nothing, seconds: seconds(), failure: describeFailure(command, result) };
      }
    }
    const seen = options.sandbox.workspacePath(tree.path);
    await mkdir(layout.setups, { recursive: true });
    const made = join(layout.setups, `making-${randomUUID()}`);
    const aside = await setAside(tree.path, made, seen === tree.path ? null : seen);
    if (aside.kind === "too-many") {
      return { ...nothing, seconds: seconds(), failure: "the setup commands left more files than can be kept" };
    }
    await keep(made, folder);
    await forgetOld(layout.setups, layout.trash);
    return { ...nothing, folder, seconds: seconds(), leftOut: aside.leftOut };
  } finally {
    await tree.release();
  }
}

/** Whoever is first wins: the outputs of another run for the same base and commands are as good. */
async function keep(made: string, folder: string): Promise<void> {
  try {
    await rename(made, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  }
}

/** Keeps the newest ones and those used within a day; the rest and what a crash left half made goes. */
async function forgetOld(setups: string, trashFolder: string): Promise<void> {
  const trash = openTrash(trashFolder);
  const names = await readdir(setups);
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(setups, name))).mtimeMs })));
  const oldest = Date.now() - unusedHoursMin * 3_600_000;
  const rest = aged.sort((a, b) => b.at - a.at).slice(setupsKept);
  for (const { name, at } of rest) if (at < oldest) await trash.take(Buffer.from(join(setups, name)));
}

function describeFailure(command: string, result: ProcessResult): string {
  const how = result.end === "exited" ? `ended with exit code ${result.exitCode}` : `${result.end}: ${result.reason}`;
  const output = `${result.stdout.text}\n${result.stderr.text}`.trim().slice(-2000);
  return `\`${command}\` ${how}${output === "" ? "" : `\n${output}`}`;
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
