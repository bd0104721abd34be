import type { BareGit } from "./bare.ts";
import type { Side } from "../state-pulls.ts";

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed";
  /** Blob of the new side, or of the old where the file is removed. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** Hunks as text; null for binary files and for those without changed lines. */
  readonly patch: string | null;
}

export function mergeBase(git: BareGit, base: string, head: string): string | null {
  try {
    return git.constant(["merge-base", base, head]).toString("utf8").trim();
  } catch {
    return null;
  }
}

const diffOptions = ["-M", "--no-color", "--no-ext-diff", "--no-textconv"];

/** The diff as text. All of this file takes full ids. */
export function diffText(git: BareGit, from: string, to: string): string {
  return git.constant(["diff", ...diffOptions, from, to]).toString("utf8");
}

/** Files that differ between two commits, with their hunks. */
export function changedFiles(git: BareGit, from: string, to: string): readonly ChangedFile[] {
  const patches = diffText(git, from, to)
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== "");
  return readRaw(git, from, to).map((file, index) => {
    const part = patches[index] ?? "";
    const start = part.search(/^@@ /m);
    const patch = start === -1 ? null : part.slice(start).replace(/\n$/, "");
    const count = (sign: string): number => (patch ?? "").split("\n").filter((line) => line.startsWith(sign)).length;
    return { ...file, patch, additions: count("+"), deletions: count("-") };
  });
}

/** Names, kinds and blobs, in the order of the text. */
function readRaw(git: BareGit, from: string, to: string) {
  const fields = git
    .constant(["diff", "--raw", "-z", "--no-abbrev", ...diffOptions, from, to])
    .toString("utf8")
    .split("\0");
  const files: Pick<ChangedFile, "path" | "previousPath" | "status" | "sha">[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const [, , before = "", after = "", letter = ""] = (fields[at] ?? "").split(" ");
    const moved = letter.startsWith("R");
    files.push({
      path: fields[at + (moved ? 2 : 1)] ?? "",
      previousPath: moved ? (fields[at + 1] ?? "") : null,
      status: moved ? "renamed" : letter === "A" ? "added" : letter === "D" ? "removed" : "modified",
      sha: letter === "D" ? before : after,
    });
    at += moved ? 3 : 2;
  }
  return files;
}

export interface DiffLine {
  readonly side: Side | "BOTH";
  readonly left: number;
  readonly right: number;
  readonly text: string;
  /** Head of the hunk that the line is in. */
  readonly hunk: number;
}

/** Lines of a file's hunks with their numbers on both sides. */
export function diffLines(patch: string): readonly DiffLine[] {
  let left = 0;
  let right = 0;
  let hunk = -1;
  const lines: DiffLine[] = [];
  for (const text of patch.split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (head !== null) {
      left = Number(head[1]);
      right = Number(head[2]);
      hunk += 1;
    } else if (text.startsWith("+")) lines.push({ side: "RIGHT", left: 0, right: right++, text, hunk });
    else if (text.startsWith("-")) lines.push({ side: "LEFT", left: left++, right: 0, text, hunk });
    else if (text.startsWith(" ")) lines.push({ side: "BOTH", left: left++, right: right++, text, hunk });
  }
  return lines;
}

/** The line of a diff that a comment may stand on; null outside of its hunks. */
export function findDiffLine(patch: string, side: Side, line: number): DiffLine | null {
  const at = (item: DiffLine): number => (side === "LEFT" ? item.left : item.right);
  return diffLines(patch).find((item) => (item.side === side || item.side === "BOTH") && at(item) === line) ?? null;
}
