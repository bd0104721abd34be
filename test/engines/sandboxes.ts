import { describe } from "vitest";
import { openSandbox } from "../../src/process/open-sandbox.ts";
import type { Sandbox } from "../../src/process/sandbox.ts";
import { unsandboxed } from "../../src/process/unsandboxed.ts";
import { needsSandbox } from "../needs-sandbox.ts";

/** Runs a suite in a box and without one. */
export function inEachSandbox(name: string, suite: (open: () => Promise<Sandbox>) => void): void {
  needsSandbox(`${name}, in bubblewrap`, () => suite(() => openSandbox({ allowNone: false })));
  describe(`${name}, without a sandbox`, () => suite(() => Promise.resolve(unsandboxed())));
}
