import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { BareGit } from "./bare.ts";

export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  /** null takes the path away. */
  readonly sha: string | null;
}

export interface ListedEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  /** null for what is no blob. */
  readonly bytes: number | null;
}

/** Writes a blob as git does, without starting one for each. Returns its id. */
export function writeBlob(git: BareGit, content: string | Uint8Array): string {
  const bytes = Buffer.from(content as Uint8Array);
  const object = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  const sha = createHash("sha1").update(object).digest("hex");
  const folder = join(git.folder, "objects", sha.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, sha.slice(2)), deflateSync(object));
  return sha;
}

/** git itself drops such paths with a warning. */
function isMalformed(path: string): boolean {
  return path.split("/").some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
}

/** A tree with entries put over another. Returns its id, or null where git refuses an entry. */
export function writeTree(git: BareGit, base: string | null, entries: readonly TreeEntry[]): string | null {
  if (entries.some((entry) => isMalformed(entry.path))) return null;
  const index = join(git.folder, `index-${randomUUID()}`);
  const lines = entries.map(({ path, mode, sha }) =>
    sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`,
  );
  try {
    if (base !== null && git.try(["read-tree", base], { index }) === null) return null;
    const input = lines.join("");
    if (git.try(["update-index", "-z", "--replace", "--index-info"], { index, input }) === null) return null;
    return git.try(["write-tree"], { index });
  } finally {
    rmSync(index, { force: true });
  }
}

/** Entries of a tree, or of one path in it. */
export function listTree(git: BareGit, tree: string, options: { recursive?: boolean; path?: string } = {}) {
  const args = ["ls-tree", "-z", "--long", ...(options.recursive === true ? ["-r", "-t"] : []), tree];
  const output = git.try(options.path === undefined ? args : [...args, "--", options.path]);
  return (output ?? "")
    .split("\0")
    .filter((line) => line !== "")
    .map((line): ListedEntry => {
      const tab = line.indexOf("\t");
      const [mode = "", type = "", sha = "", size = "-"] = line.slice(0, tab).split(/ +/);
      return { path: line.slice(tab + 1), mode, type, sha, bytes: size === "-" ? null : Number(size) };
    });
}

/** Whether two commits can be merged, and the tree that comes of it; null where this git cannot say. */
export function mergeTrees(
  git: BareGit,
  base: string,
  head: string,
): { readonly clean: boolean; readonly tree: string } | null {
  const merge = (other: string): string | null => {
    try {
      return git.constant(["merge-tree", "--write-tree", base, other]).toString("utf8").split("\n")[0] ?? "";
    } catch {
      return null;
    }
  };
  const tree = merge(head);
  if (tree !== null) return { clean: true, tree };
  // Before git 2.38 there is no such command: GitHub, too, says null until it knows.
  return merge(base) === null ? null : { clean: false, tree: "" };
}
