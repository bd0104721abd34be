import { mkdir, readlink, rename, unlink } from "node:fs/promises";
import { posix } from "node:path";
import { type ByteName, parentOf, splitNul, toBytes, toText } from "./byte-name.ts";
import { git } from "./git.ts";
import { treePlace } from "./layout.ts";
import { readSafely } from "./scan.ts";
import { fullPath, walk } from "./walk.ts";

export type SetAside = { readonly kind: "done"; readonly leftOut: readonly string[] } | { readonly kind: "too-many" };

/** Where links may lead out of the tree: the system's own folders, which every sandbox shows, read-only. */
const systemFolders = ["/usr/", "/bin/", "/lib/", "/lib64/"];

/**
 * Moves the ignored files of a tree to `target`, which is made. Links that lead out of the tree are left out; FIFOs and
 * the like are passed over by whoever copies from there. `seen` is the path under which the tree is known inside the
 * sandbox: absolute links below it are kept. null: it has no name there that holds for other trees too.
 */
export async function setAside(treePath: string, target: string, seen: string | null): Promise<SetAside> {
  const place = treePlace(treePath);
  const ignored = await readSafely(place, async (scan) => {
    if (scan.cut) return null;
    const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
    const listed = await git(args, { gitDir: place.mirror, workTree: place.path, indexFile: place.index });
    return splitNul(listed.stdout).map((path) => (path.endsWith("/") ? path.slice(0, -1) : path));
  });
  if (ignored === null) return { kind: "too-many" };
  await mkdir(target, { recursive: true });
  for (const path of ignored) {
    await mkdir(fullPath(target, parentOf(path)), { recursive: true });
    await rename(fullPath(place.path, path), fullPath(target, path));
  }

  const links: ByteName[] = [];
  await walk(target, (entry) => {
    if (entry.kind === "link") links.push(entry.path);
    return true;
  });
  const leftOut: string[] = [];
  for (const path of links) {
    const leadsTo = (await readlink(fullPath(target, path), { encoding: "buffer" })).toString("latin1");
    if (staysInside(path, leadsTo, seen)) continue;
    await unlink(fullPath(target, path));
    leftOut.push(`${toText(path)} -> ${toText(leadsTo)}`);
  }
  return { kind: "done", leftOut };
}

/** By its text alone. `..` behind a name could climb out of a folder that is itself a link, so it may only lead. */
export function staysInside(path: ByteName, target: ByteName, seen: string | null): boolean {
  const bare = target.replace(/^(\.\.?\/+)*/, "");
  if (
    bare
      .split("/")
      .slice(bare === ".." ? 1 : 0)
      .includes("..")
  )
    return false;
  if (!target.startsWith("/")) {
    const end = posix.normalize(posix.join(parentOf(path), target));
    return end !== ".." && !end.startsWith("../");
  }
  if (seen !== null && target.startsWith(`${toBytes(seen).toString("latin1")}/`)) return true;
  return systemFolders.some((folder) => target.startsWith(folder));
}
