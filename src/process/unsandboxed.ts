import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative } from "node:path";
import { workspaceInBox } from "./box-options.ts";
import { childEnvironment, sanePath } from "./child-environment.ts";
import { type Guard, plainGuard } from "./guard.ts";
import { neverOpened, openProcess } from "./open-process.ts";
import { notStarted, runGuarded } from "./run-process.ts";
import type { BoxRequest, Sandbox } from "./sandbox.ts";
import type { ProcessRequest } from "./spawn.ts";

/**
 * No sandbox: for our own sample and for nothing else. The child gets the same environment and limits on time and
 * output, its process group is killed, but it sees the machine, the network and may write where we may, a judge too.
 * Mounts that are read below the workspace are copied in where nothing is yet; all other mounts are left out.
 */
export function unsandboxed(): Sandbox {
  return {
    kind: "none",
    run: async (request) => {
      const made = makeProcess(request);
      if (typeof made === "string") return notStarted(made);
      return await runGuarded({ ...made.process, stdin: request.stdin }, made.guard);
    },
    open: (request) => {
      const made = makeProcess(request);
      return typeof made === "string" ? neverOpened(made) : openProcess(made.process, made.guard);
    },
    workspacePath: (workspace) => realpathSync(workspace),
  };
}

interface Made {
  readonly process: Omit<ProcessRequest, "stdin">;
  readonly guard: Guard;
}

function makeProcess(request: Omit<BoxRequest, "stdin">): Made | string {
  const cwd = findFolder(request.workspace, request.workingDirectory);
  if (cwd === null) return `the working folder ${request.workingDirectory} does not exist in the workspace`;
  const [file, ...args] = request.argv;
  if (file === undefined) return "there is no command";
  copyMounts(request);
  const home = mkdtempSync(join(tmpdir(), "gavel-home-"));
  const temporary = join(home, "tmp");
  mkdirSync(temporary);
  const path = [dirname(realpathSync(process.execPath)), ...sanePath(process.env["PATH"])];
  return {
    process: {
      file,
      args,
      cwd,
      env: { ...childEnvironment({ path, home, temporary, user: "agent" }), ...request.env },
      timeoutSeconds: request.timeoutSeconds,
      outputBytesMax: request.outputBytesMax,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    },
    guard: { ...plainGuard, clean: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }) },
  };
}

/** A folder of the workspace, links resolved; null where it does not exist or lies outside. */
function findFolder(workspace: string, folder: string): string | null {
  try {
    const root = realpathSync(workspace);
    const found = realpathSync(join(root, folder));
    return found === root || !relative(root, found).startsWith("..") ? found : null;
  } catch {
    return null;
  }
}

function copyMounts({ workspace, mounts }: Pick<BoxRequest, "workspace" | "mounts">): void {
  for (const { source, target, access } of mounts) {
    if (access !== "read" || !target.startsWith(`${workspaceInBox}/`)) continue;
    const place = join(workspace, posix.relative(workspaceInBox, target));
    if (!existsSync(place)) cpSync(source, place, { recursive: true, verbatimSymlinks: true });
  }
}
