import { buildProgram } from "./program.ts";
import { printError } from "./print-error.ts";

/** The command line. Started by bin/gavel.js with a Node that is new enough. */
try {
  process.exitCode = await runProgram();
} catch (error) {
  printError(error, process.env["LOG_LEVEL"] === "debug");
  process.exitCode = 1;
}

async function runProgram(): Promise<number> {
  let exitCode = 0;
  await buildProgram((code) => {
    exitCode = code;
  }).parseAsync();
  return exitCode;
}
