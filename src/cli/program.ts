import { Command } from "commander";
import { addConfigCheck } from "./config-check.ts";
import { addConfigShow } from "./config-show.ts";
import { addDemo } from "./demo.ts";
import { addDoctor } from "./doctor.ts";
import { addSetup } from "./setup.ts";
import { version } from "./version.ts";

/** Takes a command's exit code; without a word from the command it is 0. */
export type Exit = (code: number) => void;

/** All commands, one file each. A wrong command or option ends with exit code 1 and the nearest right one. */
export function buildProgram(exit: Exit): Command {
  const program = new Command("gavel")
    .description("A label starts a coding agent in a sandbox; gates establish facts; an independent judge rules.")
    .version(version)
    .showHelpAfterError("`gavel --help` lists everything.");
  addDoctor(program, exit);
  addSetup(program);
  const config = program.command("config").description("a repository's .github/gavel.yml");
  addConfigCheck(config, exit);
  addConfigShow(config);
  addDemo(program, exit);
  return program;
}
