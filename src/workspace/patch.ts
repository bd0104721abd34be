import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { GavelError } from "../errors.ts";
import { git } from "./git.ts";
import { checkObjectId } from "./object-name.ts";

/** Uncompressed. Beyond it a change can't be handed from one machine to another. */
const patchBytesMax = 256 * 1024 * 1024;

/** The change as a gzipped binary patch with full ids: enough, with the base tree, to make the head tree again. */
export async function exportPatch(mirror: string, baseTree: string, headTree: string): Promise<Uint8Array> {
  const flags = [
    "-r",
    "-p",
    "--binary",
    "--full-index",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
  ];
  const trees = [checkObjectId(baseTree), checkObjectId(headTree)];
  const patch = await git(["diff-tree", ...flags, "--submodule=short", "--ignore-submodules=none", ...trees], {
    gitDir: mirror,
    outputBytesMax: patchBytesMax,
  });
  return await promisify(gzip)(patch.stdout);
}

/** Applies a patch to the base tree in an index of its own; no file is touched. Rejects with `patch-mismatch`. */
export async function importPatch(
  mirror: string,
  baseTree: string,
  patch: Uint8Array,
  headTree: string,
): Promise<void> {
  const bytes = await promisify(gunzip)(patch, { maxOutputLength: patchBytesMax });
  const indexFile = join(mirror, `import-${randomUUID()}.index`);
  const options = { gitDir: mirror, indexFile };
  try {
    await git(["read-tree", checkObjectId(baseTree)], options);
    if (bytes.length > 0) await git(["apply", "--cached", "--whitespace=nowarn", "-"], { ...options, stdin: bytes });
    const tree = (await git(["write-tree"], options)).stdout.toString("utf8").trim();
    if (tree !== checkObjectId(headTree)) {
      const message = `The patch makes tree ${tree}, not ${headTree}`;
      throw new GavelError("patch-mismatch", message, "The record of this change is damaged: start the chain again.");
    }
  } finally {
    await rm(indexFile, { force: true });
  }
}
