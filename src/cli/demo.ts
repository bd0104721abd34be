import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import type { Command } from "commander";
import { GavelError } from "../errors.ts";
import type { Exit } from "./program.ts";

const entry = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "demo", "main.ts");

/** `gavel demo …`: hands everything on to the demo, which only a checkout holds: it plays on the double of the tests. */
export function addDemo(parent: Command, exit: Exit): void {
  parent
    .command("demo")
    .description("play the whole job on this machine, on a local double of GitHub (see `gavel demo --help`)")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument("[options...]")
    .action(async (args: readonly string[]) => {
      if (!existsSync(entry)) {
        throw new GavelError(
          "demo-not-here",
          "The demo is not part of this installation.",
          "Clone the project and run `npm run demo` there.",
        );
      }
      exit(await runToEnd([entry, ...args]));
    });
}

async function runToEnd(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
