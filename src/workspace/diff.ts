import { GavelError } from "../errors.ts";
import type { ChangedFile, Diff } from "../domain/diff.ts";
import { splitNul, toBytes, toText } from "./byte-name.ts";
import { git, outputBytesMaxDefault } from "./git.ts";
import { checkObjectId } from "./object-name.ts";
import { type LineCount, parseCounts, parseRaw, type RawRecord, unreadable } from "./raw-diff.ts";

/** Both commands get all of these: the order and number of their records must be the same. */
const flags = [
  "-r",
  "-M",
  "-l1000",
  "--no-abbrev",
  "--full-index",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--submodule=short",
  "--ignore-submodules=none",
  "--diff-algorithm=myers",
];

/**
 * The change between two trees. Names and counts come from `-z` records; the patch text is cut by its headers, which
 * are the only lines without a mark in front, and laid beside the records in the same order.
 * Rejects with `diff-too-large` above 64 MiB of patch text.
 */
export async function readDiff(mirror: string, baseTree: string, headTree: string): Promise<Diff> {
  const trees = [checkObjectId(baseTree), checkObjectId(headTree)];
  const [listed, patch] = await Promise.all([
    git(["diff-tree", "-z", "--raw", "--numstat", ...flags, ...trees], { gitDir: mirror }),
    git(["diff-tree", "-p", "-U3", ...flags, ...trees], { gitDir: mirror }),
  ]).catch((error: unknown) => {
    if (!(error instanceof GavelError) || error.code !== "git-output-too-large") throw error;
    const message = `The change is larger than ${outputBytesMaxDefault / 1024 / 1024} MiB of patch text`;
    throw new GavelError("diff-too-large", message, "Split the change.", { cause: error });
  });
  const fields = splitNul(listed.stdout);
  const { records, next } = parseRaw(fields);
  const files = assemble(records, parseCounts(fields, next), splitPatch(patch.stdout));
  return {
    baseTree,
    headTree,
    files,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  };
}

/** The sections of a patch, as byte strings, each without its `diff --git` line. */
export function splitPatch(patch: Buffer): string[] {
  const text = patch.toString("latin1");
  if (text === "") return [];
  const header = "diff --git ";
  if (!text.startsWith(header)) throw unreadable("the patch does not begin with a header");
  return text.slice(header.length).split(`\n${header}`);
}

function assemble(
  records: readonly RawRecord[],
  counts: readonly LineCount[],
  sections: readonly string[],
): ChangedFile[] {
  if (counts.length !== records.length) throw unreadable(`${records.length} files, ${counts.length} counts`);
  let next = 0;
  const files = records.map((record, at): ChangedFile => {
    // A file that becomes a link (or the other way) is printed as a deletion and a creation.
    const taken = record.status === "T" ? 2 : 1;
    const hunks = sections
      .slice(next, next + taken)
      .map(hunksOf)
      .join("");
    next += taken;
    const count = counts[at] ?? { added: null, removed: null };
    const binary = count.added === null;
    return {
      path: toText(record.path),
      oldPath: record.oldPath === null ? null : toText(record.oldPath),
      status: statusWord(record.status),
      oldMode: record.oldMode,
      newMode: record.newMode,
      blob: record.status === "D" ? null : record.newId,
      binary,
      added: count.added ?? 0,
      removed: count.removed ?? 0,
      hunks: binary ? "" : toBytes(hunks).toString("utf8"),
    };
  });
  if (next !== sections.length) throw unreadable(`${records.length} files, ${sections.length} sections`);
  return files;
}

/** From the first `@@` line on, always with a line break at the end. */
function hunksOf(section: string): string {
  const start = section.indexOf("\n@@ ");
  if (start < 0) return "";
  const hunks = section.slice(start + 1);
  return hunks.endsWith("\n") ? hunks : `${hunks}\n`;
}

function statusWord(letter: RawRecord["status"]): ChangedFile["status"] {
  switch (letter) {
    case "A":
      return "added";
    case "M":
      return "modified";
    case "D":
      return "deleted";
    case "R":
      return "renamed";
    case "T":
      return "type-changed";
  }
}
