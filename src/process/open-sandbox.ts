import { GavelError } from "../errors.ts";
import { bubblewrapSandbox } from "./bubblewrap.ts";
import { probeSandbox } from "./probe-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { unsandboxed } from "./unsandboxed.ts";

export interface SandboxChoice {
  /** Use no sandbox where bubblewrap does not work. Only the demo's own sample, or an operator by name, may say so. */
  readonly allowNone: boolean;
  /** Folders of the machine with toolchains outside /usr, seen read-only at their own path; their `bin` is on PATH. */
  readonly runtimeFolders?: readonly string[];
}

/**
 * Opens the sandbox, having made one box to see that it works. Throws `sandbox-unavailable` with the cure where it does
 * not and none is not allowed.
 */
export async function openSandbox(choice: SandboxChoice): Promise<Sandbox> {
  const probe = await probeSandbox(choice.runtimeFolders);
  if (probe.kind === "ready") return bubblewrapSandbox(probe.host);
  if (choice.allowNone) return unsandboxed();
  throw new GavelError("sandbox-unavailable", probe.problem.message, probe.problem.cure);
}
