import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import type { ByteName } from "./byte-name.ts";
import { fullPath, readFolder, type WalkEntry } from "./walk.ts";

const copiesAtOnce = 16;

/**
 * Copies a setup's outputs into a tree, sharing blocks where the file system can, never by hard links: what runs in
 * the tree may write. What the tree itself holds stays, and no link of the tree is followed.
 */
export async function layIn(folder: string, treePath: string): Promise<void> {
  let folders: ByteName[] = [""];
  while (folders.length > 0) {
    const next: ByteName[] = [];
    for (const path of folders) {
      const found = await readFolder(folder, path);
      if (found.kind === "too-many") continue;
      for (let at = 0; at < found.entries.length; at += copiesAtOnce) {
        const batch = found.entries.slice(at, at + copiesAtOnce);
        const entered = await Promise.all(batch.map((entry) => copyEntry(folder, treePath, entry)));
        for (const [index, entry] of batch.entries()) if (entered[index] === true) next.push(entry.path);
      }
    }
    folders = next;
  }
}

/** Copies one entry; true for a folder that may be entered. */
async function copyEntry(folder: string, treePath: string, entry: WalkEntry): Promise<boolean> {
  const from = fullPath(folder, entry.path);
  const to = fullPath(treePath, entry.path);
  try {
    switch (entry.kind) {
      case "special":
        return false;
      case "link":
        await symlink(await readlink(from, { encoding: "buffer" }), to);
        return false;
      case "file":
        await copyReadable(from, to);
        return false;
      case "folder":
        await mkdir(to);
        return true;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return entry.kind === "folder" && (await lstat(to)).isDirectory();
  }
}

async function copyReadable(from: Buffer, to: Buffer): Promise<void> {
  const how = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
  try {
    await copyFile(from, to, how);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    await chmod(from, ((await lstat(from)).mode & 0o777) | 0o400);
    await copyFile(from, to, how);
  }
}
