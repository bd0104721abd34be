import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Input } from "./limits.ts";
import { cutLine, refuse, resultCharactersMax, textOf } from "./limits.ts";
import { findPlace } from "./paths.ts";
import { runProgram } from "./run.ts";
import { walk } from "./walk.ts";

/** A pattern can make the matching take for ever, and a loop can't be stopped from inside: the search is a process. */
const searchSecondsMax = 20;
const matchesMax = 200;
const searchedFileBytesMax = 2 * 1024 * 1024;

/** Lines that match, as `path:line: text`. `program` is the argv that starts `runSearch` in a process of its own. */
export async function searchTool(
  root: string,
  input: Input,
  program: readonly string[],
  secondsMax = searchSecondsMax,
): Promise<string> {
  const { real } = await findPlace(root, textOf(input, "path", "."));
  await stat(real).catch(() => refuse(`${textOf(input, "path", ".")} does not exist`));
  const pattern = textOf(input, "pattern");
  const regex = input["regex"] === true;
  matcherOf(pattern, regex);
  const [file = "", ...args] = program;
  const request = JSON.stringify({ root, at: real, pattern, regex });
  const { output, end } = await runProgram(file, [...args, request], root, secondsMax);
  return end === "exit code 0" ? output : refuse(`the search failed: ${end}`);
}

function matcherOf(pattern: string, regex: boolean): (line: string) => boolean {
  if (!regex) return (line) => line.includes(pattern);
  try {
    const expression = new RegExp(pattern, "u");
    return (line) => expression.test(line);
  } catch {
    return refuse("pattern: this is no regular expression of JavaScript");
  }
}

/** The search itself; prints its result. */
export async function runSearch(request: string): Promise<string> {
  const { root, at, pattern, regex } = JSON.parse(request) as {
    root: string;
    at: string;
    pattern: string;
    regex: boolean;
  };
  const matches = matcherOf(pattern, regex);
  let shown = "";
  let count = 0;
  for await (const file of filesAt(at)) {
    const bytes = (await stat(file).catch(() => null))?.size ?? Number.POSITIVE_INFINITY;
    if (bytes > searchedFileBytesMax) continue;
    const text = await readFile(file, "utf8").catch(() => "\0");
    if (text.includes("\0")) continue;
    for (const [index, line] of text.split("\n").entries()) {
      if (!matches(line)) continue;
      const next = `${file.slice(root.length + 1)}:${index + 1}: ${cutLine(line.trim())}\n`;
      count += 1;
      if (count > matchesMax || shown.length + next.length > resultCharactersMax - 100)
        return `${shown}[more is left out; narrow the search]`;
      shown += next;
    }
  }
  return shown === "" ? "nothing matches" : shown;
}

async function* filesAt(at: string): AsyncGenerator<string> {
  if ((await stat(at)).isFile()) yield at;
  else for await (const entry of walk(at, true)) if (entry.kind === "file") yield join(at, entry.name);
}
