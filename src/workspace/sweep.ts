import { type ByteName, parentOf, splitNul } from "./byte-name.ts";
import { git } from "./git.ts";
import { checkObjectId } from "./object-name.ts";
import type { Trash } from "./trash.ts";
import { fullPath, readFolder, type WalkEntry } from "./walk.ts";

type Expected = "file" | "link" | "folder" | "submodule";

/** What a tree holds, folder by folder. */
export type Listing = ReadonlyMap<ByteName, ReadonlyMap<ByteName, Expected>>;

/** Above it a spoiled tree is thrown away as a whole, which is cheaper than tidying it. */
const straysMax = 3_000;
const foldersAtOnce = 32;

export async function listTree(mirror: string, tree: string): Promise<Listing> {
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", checkObjectId(tree)], {
    gitDir: mirror,
    outputBytesMax: 512 * 1024 * 1024,
  });
  const folders = new Map<ByteName, Map<ByteName, Expected>>([["", new Map()]]);
  for (const record of splitNul(listed.stdout)) {
    const path = record.slice(record.indexOf("\t") + 1);
    folderOf(folders, parentOf(path)).set(path.slice(path.lastIndexOf("/") + 1), expectedKind(record));
  }
  return folders;
}

function expectedKind(record: string): Expected {
  if (record.startsWith("120000")) return "link";
  return record.startsWith("160000") ? "submodule" : "file";
}

function folderOf(folders: Map<ByteName, Map<ByteName, Expected>>, path: ByteName): Map<ByteName, Expected> {
  const known = folders.get(path);
  if (known !== undefined) return known;
  const made = new Map<ByteName, Expected>();
  folders.set(path, made);
  folderOf(folders, parentOf(path)).set(path.slice(path.lastIndexOf("/") + 1), "folder");
  return made;
}

/**
 * Moves everything away that the tree does not hold: untracked and ignored files, nested git folders, links where a
 * folder should be. Folders get their usual mode back. What then remains differs from the tree in content only.
 * "spoiled" when there is too much of it.
 */
export async function sweep(root: string, listing: Listing, trash: Trash): Promise<"swept" | "spoiled"> {
  const folderMode = 0o777 & ~process.umask();
  let strays = 0;
  let folders: ByteName[] = [""];
  while (folders.length > 0) {
    const next: ByteName[] = [];
    for (let at = 0; at < folders.length; at += foldersAtOnce) {
      const batch = folders.slice(at, at + foldersAtOnce);
      const found = await Promise.all(batch.map((path) => readFolder(root, path, folderMode)));
      for (const [index, folder] of found.entries()) {
        if (folder.kind === "too-many") return "spoiled";
        const expected = listing.get(batch[index] ?? "");
        for (const entry of folder.entries) {
          const fate = fateOf(entry, expected?.get(entry.name));
          if (fate === "enter") next.push(entry.path);
          if (fate !== "stray") continue;
          strays += 1;
          if (strays > straysMax) return "spoiled";
          await trash.take(fullPath(root, entry.path));
        }
      }
    }
    folders = next;
  }
  return "swept";
}

function fateOf(entry: WalkEntry, expected: Expected | undefined): "keep" | "enter" | "stray" {
  switch (expected) {
    case undefined:
      return "stray";
    case "folder":
    // A submodule's folder is empty: it has no listing, so all that lies in it is stray.
    case "submodule":
      return entry.kind === "folder" ? "enter" : "stray";
    case "file":
    case "link":
      return entry.kind === expected ? "keep" : "stray";
  }
}
