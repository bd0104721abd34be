import { GavelError } from "../errors.ts";
import { fromText, isTextName, splitNul, toText } from "./byte-name.ts";
import { git } from "./git.ts";
import { checkObjectId } from "./object-name.ts";
import { parseRaw } from "./raw-diff.ts";
import type { ChangedEntry } from "./workspace.ts";

export async function readBlob(mirror: string, blob: string): Promise<Uint8Array> {
  return (await git(["cat-file", "blob", checkObjectId(blob)], { gitDir: mirror })).stdout;
}

/** A regular file of a tree object, or null. Links are entries like any other here: nothing can be followed. */
export async function readFile(mirror: string, tree: string, path: string): Promise<Uint8Array | null> {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((part) => part === "" || part === "." || part === "..")) return null;
  const listed = await git(["ls-tree", "-z", "--full-tree", checkObjectId(tree), "--", path], { gitDir: mirror });
  for (const record of splitNul(listed.stdout)) {
    const [head, name] = splitAtTab(record);
    const [mode = "", , id = ""] = head.split(" ");
    if (name === fromText(path) && mode.startsWith("100")) return await readBlob(mirror, id);
  }
  return null;
}

function splitAtTab(record: string): [string, string] {
  const tab = record.indexOf("\t");
  return [record.slice(0, tab), record.slice(tab + 1)];
}

/** Entries that differ, one a path, renames as a deletion and an addition. Rejects with `name-not-text` for other names. */
export async function changedEntries(
  mirror: string,
  baseTree: string,
  headTree: string,
): Promise<readonly ChangedEntry[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];
  const listed = await git([...args, checkObjectId(baseTree), checkObjectId(headTree)], { gitDir: mirror });
  return parseRaw(splitNul(listed.stdout)).records.map((record) => {
    if (!isTextName(record.path)) {
      const message = `The name "${toText(record.path)}" is not valid UTF-8`;
      throw new GavelError("name-not-text", message, "GitHub's interface takes UTF-8 names only: rename the file.");
    }
    const deleted = record.status === "D";
    return {
      path: toText(record.path),
      mode: checkMode(deleted ? record.oldMode : record.newMode),
      blob: deleted ? null : record.newId,
    };
  });
}

function checkMode(mode: string): ChangedEntry["mode"] {
  if (mode === "100644" || mode === "100755" || mode === "120000" || mode === "160000") return mode;
  throw new GavelError("tree-mode", `git named an unknown file mode: ${mode}`, "Look at the repository with git fsck.");
}
