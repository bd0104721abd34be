import { describe } from "vitest";
import { probeSandbox } from "../src/process/probe-sandbox.ts";

const probe = await probeSandbox();

/** Whether boxes can be made on this machine. */
export const hasSandbox = probe.kind === "ready";

if (probe.kind === "unavailable") {
  const why = `${probe.problem.message} ${probe.problem.cure}`;
  // On CI nothing may go untested in silence; on a newcomer's machine the rest is worth running.
  if (process.env["CI"] === "true") throw new Error(`Tests need the sandbox, and this machine has none. ${why}`);
  console.warn(`\n*** SKIPPED: tests that need the sandbox. ${why} ***\n`);
}

/** `describe` for tests that need a sandbox: skipped, loudly, where there is none; an error where CI is true. */
export const needsSandbox = describe.skipIf(!hasSandbox);
