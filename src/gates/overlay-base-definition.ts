import { chmod, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseManifest, withBaseDefinition } from "./manifest.ts";
import type { ReadBaseFile, SelfChange } from "./self-changed.ts";

/** Path to the base's bytes; null: the base has no such file. */
export type BaseDefinition = ReadonlyMap<string, Uint8Array | null>;

/**
 * Lays the base's bytes over a throw-away checkout of the candidate; null takes the file away. Links on the way are the
 * candidate's and are replaced, never followed.
 */
export async function overlayBaseDefinition(treePath: string, baseFiles: BaseDefinition): Promise<void> {
  for (const [path, bytes] of baseFiles) {
    const parts = path.split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".."))
      throw new Error(`not a path of a tree: ${path}`);
    if (bytes === null && !(await hasRealFolders(treePath, parts))) continue;
    if (bytes !== null) await makeRealFolders(treePath, parts);
    const place = join(treePath, path);
    const old = await lstat(place).catch(() => null);
    await rm(place, { recursive: true, force: true });
    if (bytes === null) continue;
    await writeFile(place, bytes, { flag: "wx" });
    const isScript = bytes[0] === 0x23 && bytes[1] === 0x21;
    if (isScript || (old?.isFile() === true && (old.mode & 0o100) !== 0)) await chmod(place, 0o755);
  }
}

/**
 * What has to be laid over a checkout of the candidate so that its gate is defined as the base defines it; empty where
 * both define it alike. `treePath` is a checkout in which nothing ran yet.
 */
export async function readBaseDefinition(
  treePath: string,
  change: SelfChange,
  readBaseFile: ReadBaseFile,
): Promise<BaseDefinition> {
  const files = new Map<string, Uint8Array | null>();
  for (const path of change.overlay) files.set(path, await readBaseFile(path));
  for (const path of change.scripts) {
    const bytes = await readBaseFile(path);
    const base = parseManifest(bytes);
    const candidate = parseManifest(await readPlainFile(treePath, path));
    const merged = base !== null && candidate !== null ? withBaseDefinition(candidate, base) : bytes;
    if (merged !== "same") files.set(path, typeof merged === "string" ? Buffer.from(merged) : merged);
  }
  return files;
}

async function readPlainFile(treePath: string, path: string): Promise<Uint8Array | null> {
  if (!(await hasRealFolders(treePath, path.split("/")))) return null;
  const place = join(treePath, path);
  const stats = await lstat(place).catch(() => null);
  return stats?.isFile() === true ? await readFile(place) : null;
}

async function hasRealFolders(treePath: string, parts: readonly string[]): Promise<boolean> {
  for (let depth = 1; depth < parts.length; depth += 1) {
    const stats = await lstat(join(treePath, ...parts.slice(0, depth))).catch(() => null);
    if (stats?.isDirectory() !== true) return false;
  }
  return true;
}

async function makeRealFolders(treePath: string, parts: readonly string[]): Promise<void> {
  for (let depth = 1; depth < parts.length; depth += 1) {
    const place = join(treePath, ...parts.slice(0, depth));
    const stats = await lstat(place).catch(() => null);
    if (stats !== null && !stats.isDirectory()) await rm(place, { force: true });
    await mkdir(place, { recursive: true });
  }
}
