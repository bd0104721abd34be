import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { GavelError } from "../errors.ts";
import { git } from "./git.ts";
import { type RepositoryLayout, type TreePlace, treePlace } from "./layout.ts";
import { checkObjectId } from "./object-name.ts";
import { type Listing, listTree, sweep } from "./sweep.ts";
import type { Trash } from "./trash.ts";
import { freeLock, takeLock } from "./tree-lock.ts";
import type { Tree } from "./workspace.ts";

export interface TreeLimits {
  /** In use at once, a repository. */
  readonly treesMax: number;
  /** How long one waits for a tree that another chain holds. */
  readonly waitSeconds: number;
}

const listingsKept = 2;

/** The pool of a repository's trees. */
export interface TreePool {
  openTree(tree: string): Promise<Tree>;
}

export function openTreePool(layout: RepositoryLayout, trash: Trash, limits: TreeLimits): TreePool {
  /** Numbers in use. */
  const used = new Set<number>();
  /** Tree id last laid out in each place: reusing the same one costs least. */
  const last = new Map<number, string>();
  const waiting: (() => void)[] = [];
  const listings = new Map<string, Promise<Listing>>();

  const listing = (tree: string): Promise<Listing> => {
    const known = listings.get(tree) ?? listTree(layout.mirror, tree);
    listings.delete(tree);
    listings.set(tree, known);
    for (const oldest of listings.keys()) if (listings.size > listingsKept) listings.delete(oldest);
    known.catch(() => listings.delete(tree));
    return known;
  };

  const waitForPlace = async (): Promise<void> => {
    if (used.size < limits.treesMax) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        const message = `No tree became free within ${limits.waitSeconds} s (${limits.treesMax} are in use)`;
        reject(new GavelError("trees-busy", message, "Run fewer chains at once, or wait for those that run."));
      }, limits.waitSeconds * 1000);
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(go);
    });
  };

  const takePlace = async (tree: string): Promise<number> => {
    await mkdir(layout.trees, { recursive: true });
    const numbers = Array.from({ length: limits.treesMax * 4 }, (_, index) => index + 1);
    const rank = (number: number): number => (last.get(number) === tree ? 0 : last.has(number) ? 1 : 2);
    for (const number of numbers.sort((a, b) => rank(a) - rank(b) || a - b)) {
      if (used.has(number)) continue;
      used.add(number);
      if (await takeLock(join(layout.trees, `${number}.lock`))) return number;
      used.delete(number);
    }
    throw new GavelError("trees-busy", "Other processes hold all trees", "Give each process its own data folder.");
  };

  const giveBack = async (number: number): Promise<void> => {
    await freeLock(join(layout.trees, `${number}.lock`));
    used.delete(number);
    waiting.shift()?.();
  };

  return {
    openTree: async (tree) => {
      checkObjectId(tree);
      // Between being woken and taking a place another may have come first; each round waits for one release.
      for (let rounds = 0; used.size >= limits.treesMax; rounds += 1) {
        if (rounds > 100) throw new GavelError("trees-busy", "No tree became free", "Run fewer chains at once.");
        await waitForPlace();
      }
      const number = await takePlace(tree);
      const place = treePlace(join(layout.trees, String(number)));
      try {
        await layOut(place, tree, await listing(tree), trash);
        last.set(number, tree);
      } catch (error) {
        await giveBack(number);
        throw error;
      }
      trash.empty();
      let released = false;
      return {
        path: place.path,
        release: async () => {
          if (released) return;
          released = true;
          await giveBack(number);
        },
      };
    },
  };
}

/** Makes the folder hold exactly the tree. A place that can't be tidied is replaced by a new one, once. */
async function layOut(place: TreePlace, tree: string, listing: Listing, trash: Trash): Promise<void> {
  // What a crash in the middle left.
  await rm(`${place.index}.lock`, { force: true });
  await rm(place.scratch, { recursive: true, force: true });
  try {
    await mkdir(place.path, { recursive: true });
    if ((await sweep(place.path, listing, trash)) === "swept") return await checkOut(place, tree);
  } catch {
    // Whatever is wrong with the old content: a new folder has none of it.
  }
  await trash.take(Buffer.from(place.path)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  await rm(place.index, { force: true });
  await mkdir(place.path, { recursive: true });
  await checkOut(place, tree);
}

/**
 * Writes the files that are not as the index's stat data say. An agent can set sizes and times of a file, but not its
 * change time and inode, which are compared too; and files as young as the index are compared by content.
 */
async function checkOut(place: TreePlace, tree: string): Promise<void> {
  await git(["read-tree", "--reset", "-u", "--no-recurse-submodules", tree], {
    gitDir: place.mirror,
    workTree: place.path,
    indexFile: place.index,
    timeoutSeconds: 300,
  });
}
