import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Input } from "./limits.ts";
import { countOf, cutLine, fileBytesMax, refuse, resultCharactersMax, textOf } from "./limits.ts";
import { findPlace } from "./paths.ts";

const linesDefault = 400;
const linesMax = 5_000;

/** The lines of a file with their numbers. */
export async function readTool(root: string, input: Input): Promise<string> {
  const { name, text } = await readText(root, textOf(input, "path"));
  if (text === "") return `${name} is empty`;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = countOf(input, "offset", 1, Number.MAX_SAFE_INTEGER);
  const limit = countOf(input, "limit", linesDefault, linesMax);
  if (first > lines.length) return refuse(`${name} has only ${lines.length} lines`);
  let shown = "";
  let at = first;
  for (; at <= lines.length && at < first + limit; at += 1) {
    const next = `${String(at).padStart(5)}\t${cutLine((lines[at - 1] ?? "").replace(/\r$/, ""))}\n`;
    if (shown.length + next.length > resultCharactersMax - 200) break;
    shown += next;
  }
  const rest = at <= lines.length ? `; go on with offset ${at}` : "";
  return `${shown}[lines ${first} to ${at - 1} of ${lines.length}${rest}]`;
}

/** Replaces one text that is there exactly once. */
export async function editTool(root: string, input: Input): Promise<string> {
  const { name, real, text } = await readText(root, textOf(input, "path"));
  const windows = text.includes("\r\n") && !/[^\r]\n/.test(text);
  const asInFile = (part: string) => (windows ? part.replaceAll(/\r?\n/g, "\r\n") : part);
  const before = asInFile(textOf(input, "old"));
  const after = asInFile(textOf(input, "new"));
  if (before === "") return refuse("old: it is empty; use write for a new file");
  if (before === after) return refuse("old and new are the same");
  const at = text.indexOf(before);
  if (at === -1) return refuse(`${name}: the old text is not in it; read the file again, white space counts`);
  if (text.indexOf(before, at + 1) !== -1)
    return refuse(
      `${name}: the old text is there ${text.split(before).length - 1} times or overlaps; add lines around it`,
    );
  await writeFile(real, text.slice(0, at) + after + text.slice(at + before.length));
  return `${name}: replaced at line ${text.slice(0, at).split("\n").length}`;
}

/** Writes a whole file, with the folders it needs. */
export async function writeTool(root: string, input: Input): Promise<string> {
  const { name, real } = await findPlace(root, textOf(input, "path"));
  const content = textOf(input, "content");
  if (Buffer.byteLength(content) > fileBytesMax) return refuse(`content: more than ${fileBytesMax} bytes`);
  const before = await stat(real).catch(() => null);
  if (before !== null && !before.isFile()) return refuse(`${name} is not a file`);
  await mkdir(dirname(real), { recursive: true });
  await writeFile(real, content);
  return `${name}: ${before === null ? "made" : "written anew"}, ${content.split("\n").length} lines`;
}

/** A text file whole. Only real files are opened: a pipe would hang, a device would never end. */
async function readText(root: string, path: string): Promise<{ name: string; real: string; text: string }> {
  const { name, real } = await findPlace(root, path);
  const found = await stat(real).catch(() => refuse(`${name} does not exist`));
  if (found.isDirectory()) return refuse(`${name} is a folder; use list`);
  if (!found.isFile()) return refuse(`${name} is not a file`);
  if (found.size > fileBytesMax) return refuse(`${name} is too large: ${found.size} bytes`);
  const bytes = await readFile(real);
  const text = bytes.toString("utf8");
  // Shown or edited, what is not UTF-8 would come back changed.
  if (text.includes("\0") || !Buffer.from(text).equals(bytes))
    return refuse(`${name} is no UTF-8 text: ${bytes.length} bytes`);
  return { name, real, text };
}
