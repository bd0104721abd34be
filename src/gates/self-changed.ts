import { posix } from "node:path";
import type { GateRule } from "../config/rules.ts";
import { definitionKind } from "./definition-files.ts";
import { findProgramFiles } from "./find-program-files.ts";
import { parseManifest, scriptText } from "./manifest.ts";
import { findScriptCalls } from "./script-calls.ts";

/** How deep scripts that call scripts are followed. */
const scriptDepthMax = 5;

/** Changed paths that define a gate, with how the base's definition is put back. */
export interface SelfChange {
  readonly overlay: readonly string[];
  readonly scripts: readonly string[];
  readonly mark: readonly string[];
}

export type ReadBaseFile = (path: string) => Promise<Uint8Array | null>;

/**
 * Which of the changed paths define what this gate does: configuration by its name, and files that the command, or a
 * package script that it runs on the base, names as a program. What a gate examines is no definition of it.
 */
export async function findSelfChange(
  rule: Pick<GateRule, "command" | "workingDirectory">,
  changedPaths: readonly string[],
  readBaseFile: ReadBaseFile,
): Promise<SelfChange> {
  const programs = new Set(await findPrograms(rule.command, rule.workingDirectory, readBaseFile));
  const kinds = changedPaths.map((path) => ({ path, kind: programs.has(path) ? "overlay" : definitionKind(path) }));
  const pathsOf = (wanted: string): readonly string[] =>
    kinds.flatMap(({ path, kind }) => (kind === wanted ? [path] : []));
  return { overlay: pathsOf("overlay"), scripts: pathsOf("scripts"), mark: pathsOf("mark") };
}

async function findPrograms(command: string, folder: string, readBaseFile: ReadBaseFile): Promise<readonly string[]> {
  const manifest = parseManifest(await readBaseFile(posix.join(folder, "package.json")));
  const found: string[] = [];
  const seen = new Set<string>();
  let commands: readonly string[] = [command];
  for (let depth = 0; depth < scriptDepthMax && commands.length > 0; depth += 1) {
    found.push(...commands.flatMap((text) => findProgramFiles(text, folder)));
    const names = commands.flatMap(findScriptCalls).filter((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    commands = names.map((name) => scriptText(manifest, name)).filter((text) => text !== "");
  }
  return found;
}
