import { copyFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromText, toBytes } from "./byte-name.ts";
import type { FileChange } from "./candidate-change.ts";
import { git } from "./git.ts";
import type { TreePlace } from "./layout.ts";
import { fullPath } from "./walk.ts";

const readersAtOnce = 16;

/**
 * Writes the bytes of the files as blobs, unfiltered, and returns their ids in order. Git reads names line by line and
 * would follow a link, so links (their target is the content) and names with line breaks go by way of a scratch file.
 */
export async function hashFiles(place: TreePlace, files: readonly FileChange[]): Promise<string[]> {
  if (files.length === 0) return [];
  const paths: Buffer[] = [];
  for (let at = 0; at < files.length; at += readersAtOnce) {
    const batch = files.slice(at, at + readersAtOnce);
    paths.push(...(await Promise.all(batch.map((file, index) => readablePath(place, file, at + index)))));
  }
  const hashed = await git(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
    gitDir: place.mirror,
    stdin: Buffer.concat(paths.flatMap((path) => [path, toBytes("\n")])),
  });
  return hashed.stdout.toString("latin1").trim().split("\n");
}

async function readablePath(place: TreePlace, file: FileChange, number: number): Promise<Buffer> {
  const full = fullPath(place.path, file.path);
  const copy = join(place.scratch, `blob-${number}`);
  if (file.mode === "120000") {
    await writeFile(copy, await readlink(full, { encoding: "buffer" }));
    return toBytes(fromText(copy));
  }
  if (!/[\r\n]/.test(file.path)) return full;
  await copyFile(full, copy);
  return toBytes(fromText(copy));
}
