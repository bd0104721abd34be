import { opendir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";

/** Entries of one walk. */
const entriesMax = 100_000;

/** Folders that are not walked into unless asked for by name. */
const passedOver = new Set([".git", "node_modules"]);

export interface Entry {
  /** Relative to where the walk began, with `/`. */
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** Entries below a folder in a stable order; links are never followed. */
export async function* walk(
  folder: string,
  recursive: boolean,
  below = "",
  left = { entries: entriesMax },
): AsyncGenerator<Entry> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(join(folder, below))) {
    if ((left.entries -= 1) < 0) return;
    entries.push(entry);
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    yield { name, kind: kindOf(entry) };
    if (recursive && entry.isDirectory() && !passedOver.has(entry.name)) yield* walk(folder, true, name, left);
  }
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
