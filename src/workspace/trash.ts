import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type ByteName, fromText, parentOf, toBytes } from "./byte-name.ts";

/**
 * Deleting a large folder takes seconds and slows down whoever writes at the same time, so nothing is deleted where
 * someone waits: things are renamed into the trash at once and removed later.
 */
export interface Trash {
  /** Moves a file or folder (full path) away. Its parent must be writable. */
  take(path: Buffer): Promise<void>;
  /** Starts removing in the background; several calls make one pass after the other. */
  empty(): void;
  /** Settles when nothing is being removed. */
  idle(): Promise<void>;
}

/** Beyond this length a folder is moved up first: names can be nested deeper than the kernel takes a path. */
const lengthBytesMax = 2_000;

export function openTrash(folder: string): Trash {
  let work: Promise<void> = Promise.resolve();
  let waiting = false;
  return {
    take: async (path) => {
      await mkdir(folder, { recursive: true });
      const stats = await lstat(path);
      // A folder that may not be written can't be moved: its `..` would change.
      if (stats.isDirectory() && (stats.mode & 0o700) !== 0o700) await chmod(path, 0o700);
      await rename(path, join(folder, randomUUID()));
    },
    empty: () => {
      if (waiting) return;
      waiting = true;
      const before = work;
      work = (async () => {
        await before;
        waiting = false;
        // What can't be removed now is tried again with the next pass.
        await removeContent(folder).catch(() => {});
      })();
    },
    idle: () => work,
  };
}

async function removeContent(folder: string): Promise<void> {
  const root = fromText(folder);
  const names = await readdir(toBytes(root), { encoding: "buffer" }).catch(() => []);
  const left = names.map((name) => `${root}/${name.toString("latin1")}`);
  for (let path = left.pop(); path !== undefined; path = left.pop()) await remove(path, root, left);
}

/** Removes one thing; folders that lie too deep are moved to the top and left for later. */
async function remove(path: ByteName, root: ByteName, left: ByteName[]): Promise<void> {
  const bytes = toBytes(path);
  const stats = await lstat(bytes).catch(() => null);
  if (stats === null) return;
  if (!stats.isDirectory()) return await unlink(bytes);
  if ((stats.mode & 0o700) !== 0o700) await chmod(bytes, 0o700);
  if (bytes.length > lengthBytesMax && parentOf(path) !== root) {
    const moved = `${root}/${randomUUID()}`;
    await rename(bytes, toBytes(moved));
    left.push(moved);
    return;
  }
  const entries = await readdir(bytes, { withFileTypes: true, encoding: "buffer" });
  const files: Buffer[] = [];
  for (const entry of entries) {
    const child = `${path}/${entry.name.toString("latin1")}`;
    if (entry.isDirectory()) await remove(child, root, left);
    else files.push(toBytes(child));
  }
  for (let at = 0; at < files.length; at += 32) await Promise.all(files.slice(at, at + 32).map((file) => unlink(file)));
  await rmdir(bytes);
}
