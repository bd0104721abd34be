import type { Command } from "commander";
import { writeProblems } from "../config/config-problems.ts";
import { GavelError } from "../errors.ts";
import { readConfigFile } from "./read-config-file.ts";
import { listValues } from "./list-values.ts";

/** `gavel config show FILE`: what a chain would run on, every value with where it comes from. */
export function addConfigShow(parent: Command): void {
  parent
    .command("show")
    .description("print every value of a configuration, with where it comes from")
    .argument("<file>", "for example .github/gavel.yml")
    .action((file: string) => {
      const read = readConfigFile(file);
      if (read.kind === "invalid") {
        throw new GavelError(
          "config-invalid",
          writeProblems(read.problems),
          "Correct the file and run the command again.",
        );
      }
      for (const { path, value, place } of listValues(read.rules, read.sources)) {
        const source = place === null ? "default" : `${place.source}:${place.line}:${place.column}`;
        console.log(`${path}: ${JSON.stringify(value)}  # ${source}`);
      }
    });
}
