import { lstat, mkdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ByteName } from "./byte-name.ts";
import type { TreePlace } from "./layout.ts";
import { fullPath, pathBytesMax, readFolder, walk } from "./walk.ts";

/** What git must not meet in a tree, found before git looks at it. */
export interface Scan {
  /** FIFOs, sockets, devices. */
  readonly specials: readonly ByteName[];
  /** `.git` folders and files below the root, other than empty folders. */
  readonly gitFolders: readonly ByteName[];
  /** Folders that lie too deep. */
  readonly tooDeep: readonly ByteName[];
  /** There are so many entries that the walk was given up. */
  readonly cut: boolean;
}

/**
 * Scans a tree after its sandbox is dead, and lets `read` ask git about it. In that time nested git folders are set
 * aside, so that git sees their neighbours as plain files and never reads another repository's configuration; and
 * FIFOs under names that git opens (`.gitignore` …) are removed, because opening one waits for ever.
 */
export async function readSafely<T>(place: TreePlace, read: (scan: Scan) => Promise<T>): Promise<T> {
  const specials: ByteName[] = [];
  const gitEntries: ByteName[] = [];
  const tooDeep: ByteName[] = [];
  const end = await walk(place.path, (entry) => {
    if (entry.kind === "special") specials.push(entry.path);
    if (entry.name === ".git") {
      if (entry.path !== ".git") gitEntries.push(entry.path);
      return false;
    }
    if (entry.kind !== "folder" || entry.path.length <= pathBytesMax) return true;
    tooDeep.push(entry.path);
    return false;
  });
  for (const path of specials) {
    if (path.slice(path.lastIndexOf("/") + 1).startsWith(".git")) await unlink(fullPath(place.path, path));
  }

  const aside = join(place.scratch, "aside");
  await rm(place.scratch, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  const moved: { readonly from: Buffer; readonly to: string }[] = [];
  const gitFolders: ByteName[] = [];
  try {
    for (const path of gitEntries) {
      const from = fullPath(place.path, path);
      const stats = await lstat(from).catch(() => null);
      if (stats === null) continue;
      if (stats.isDirectory()) {
        // Also takes back the right to move it.
        const content = await readFolder(place.path, path);
        if (content.kind === "too-many" || content.entries.length > 0) gitFolders.push(path);
      } else gitFolders.push(path);
      const to = join(aside, String(moved.length));
      await rename(from, to);
      moved.push({ from, to });
    }
    return await read({ specials, gitFolders, tooDeep, cut: end === "cut" });
  } finally {
    for (const { from, to } of moved.toReversed()) await rename(to, from);
    await rm(place.scratch, { recursive: true, force: true });
  }
}
