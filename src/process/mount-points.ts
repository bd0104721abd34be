import { lstatSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { workspaceInBox } from "./box-options.ts";
import type { Mount } from "./sandbox.ts";

/**
 * Makes the places in a workspace that mounts need: bubblewrap can not in a read-only one, and it would follow a link
 * that an agent left there to a place of the machine. Nothing runs in the workspace while this looks. A string says
 * what is in the way.
 */
export function makeMountPoints(workspace: string, mounts: readonly Mount[]): string | null {
  for (const { source, target } of mounts) {
    if (!target.startsWith(`${workspaceInBox}/`)) continue;
    const problem = makeMountPoint(workspace, source, posix.relative(workspaceInBox, target));
    if (problem !== null) return problem;
  }
  return null;
}

function makeMountPoint(workspace: string, source: string, path: string): string | null {
  const parts = path.split("/");
  if (parts.includes("..")) return `the mount ${path} lies outside the workspace`;
  const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? true;
  let place = workspace;
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    // A link is neither folder nor file to lstat: it is always in the way.
    const found = lstatSync(place, { throwIfNoEntry: false });
    const last = index === parts.length - 1;
    if (found === undefined) {
      if (last && !isFolder) writeFileSync(place, "", { flag: "wx" });
      else mkdirSync(place);
    } else if (
      found.isSymbolicLink() ||
      (found.isDirectory() !== isFolder && last) ||
      (!found.isDirectory() && !last)
    ) {
      return `the workspace has something else where ${path} is to be mounted`;
    }
  }
  return null;
}
