import type { Command } from "commander";
import { writeProblems } from "../config/config-problems.ts";
import type { Exit } from "./program.ts";
import { readConfigFile } from "./read-config-file.ts";

/** `gavel config check FILE`: everything that is wrong at once; exit code 1 where something is. */
export function addConfigCheck(parent: Command, exit: Exit): void {
  parent
    .command("check")
    .description("say everything that is wrong with a configuration file, with line and column")
    .argument("<file>", "for example .github/gavel.yml")
    .option("--json", "print the problems as JSON")
    .action((file: string, options: { json?: true }) => {
      const read = readConfigFile(file);
      const problems = read.kind === "ok" ? [] : read.problems;
      if (options.json === true) console.log(JSON.stringify({ ok: problems.length === 0, problems }, null, 2));
      else console.log(problems.length === 0 ? `${file} is in order.` : writeProblems(problems));
      exit(problems.length === 0 ? 0 : 1);
    });
}
