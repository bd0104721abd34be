import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { refuse } from "./limits.ts";

/** A path as the model named it, and where it really is. */
export interface Place {
  /** Relative to the workspace, for people. */
  readonly name: string;
  /** With every link resolved; what does not exist yet is below a real folder. */
  readonly real: string;
}

/**
 * Finds a path in the workspace. What leads out of it is refused, by `..`, as an absolute path, or through a link; a
 * link to nowhere too, because writing to it would make its target.
 */
export async function findPlace(root: string, path: string): Promise<Place> {
  if (path.includes("\0")) return refuse("path: it holds a NUL");
  const wanted = resolve(root, path);
  if (!isInside(root, wanted)) return refuse(`${path}: this is outside the workspace`);
  const realRoot = await realpath(root);
  let existing = wanted;
  while (existing !== root && (await lstat(existing).catch(() => null)) === null) existing = dirname(existing);
  const realExisting = await realpath(existing).catch(() => refuse(`${path}: this is a link to nowhere`));
  if (!isInside(realRoot, realExisting)) return refuse(`${path}: a link leads outside the workspace`);
  return { name: relative(root, wanted) || ".", real: join(realExisting, relative(existing, wanted)) };
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
