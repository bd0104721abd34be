import type { Dirent } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import { type ByteName, fromText, toBytes } from "./byte-name.ts";

export type EntryKind = "file" | "folder" | "link" | "special";

export interface WalkEntry {
  /** Relative to the root. */
  readonly path: ByteName;
  readonly name: ByteName;
  readonly kind: EntryKind;
}

/** Longer relative paths are not walked: no honest file has one, and absolute ones end at 4,096 bytes. */
export const pathBytesMax = 2_000;
export const entriesMax = 1_000_000;
/** A folder whose own list is larger holds several hundred thousand entries; it is not read into memory. */
const folderBytesMax = 16 * 1024 * 1024;
const foldersAtOnce = 32;

export type Folder =
  | { readonly kind: "entries"; readonly entries: readonly WalkEntry[] }
  | { readonly kind: "too-many" };

/** Bytes of an entry's full path. `root` is text, the rest bytes. */
export function fullPath(root: string, path: ByteName): Buffer {
  return toBytes(path === "" ? fromText(root) : `${fromText(root)}/${path}`);
}

/**
 * Lists one folder that an agent may have spoiled: takes back the owner's rights to read, enter and change it.
 * `path` must be a real folder, not a link.
 */
export async function readFolder(root: string, path: ByteName, mode: number | null = null): Promise<Folder> {
  const full = fullPath(root, path);
  const stats = await lstat(full);
  if (mode !== null ? (stats.mode & 0o7777) !== mode : (stats.mode & 0o700) !== 0o700) {
    await chmod(full, mode ?? (stats.mode & 0o777) | 0o700);
  }
  if (stats.size > folderBytesMax) return { kind: "too-many" };
  const found = await readdir(full, { withFileTypes: true, encoding: "buffer" });
  const prefix = path === "" ? "" : `${path}/`;
  const entries = found.map((entry) => {
    const name = entry.name.toString("latin1");
    return { path: prefix + name, name, kind: kindOf(entry) };
  });
  return { kind: "entries", entries };
}

function kindOf(entry: Dirent<Buffer>): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  return "special";
}

/**
 * Walks a tree, links never followed; `visit` says whether to go into a folder. Ends early, as "cut", at
 * {@link entriesMax} entries.
 */
export async function walk(root: string, visit: (entry: WalkEntry) => boolean): Promise<"whole" | "cut"> {
  let folders: ByteName[] = [""];
  let entries = 0;
  while (folders.length > 0) {
    const next: ByteName[] = [];
    for (let at = 0; at < folders.length; at += foldersAtOnce) {
      const batch = folders.slice(at, at + foldersAtOnce);
      for (const folder of await Promise.all(batch.map((path) => readFolder(root, path)))) {
        if (folder.kind === "too-many") return "cut";
        entries += folder.entries.length;
        if (entries > entriesMax) return "cut";
        for (const entry of folder.entries) {
          if (visit(entry) && entry.kind === "folder") next.push(entry.path);
        }
      }
    }
    folders = next;
  }
  return "whole";
}
