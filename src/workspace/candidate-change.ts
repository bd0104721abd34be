import { chmod, lstat } from "node:fs/promises";
import type { Breach } from "../domain/gate-result.ts";
import { type ByteName, isTextName, toText } from "./byte-name.ts";
import { fullPath, readFolder } from "./walk.ts";

/** What one path means for the candidate. `leave`: the tree keeps what the index has. */
export type Change =
  | { readonly kind: "delete"; readonly path: ByteName }
  | { readonly kind: "leave"; readonly path: ByteName }
  | FileChange;

export interface FileChange {
  readonly kind: "put";
  readonly path: ByteName;
  readonly mode: "100644" | "100755" | "120000";
}

/** A larger file is left out and told. */
export const fileBytesMax = 20 * 1024 * 1024;

// Git refuses these names, with good reason: on other systems they are the git folder. Code points that HFS+ ignores
// are taken out before the comparison.
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const gitName = /^(\.git|git~1)[ .]*(:.*|\\.*)?$/i;

/** Looks at one path that is new or differs. Never follows a link: git vouches that its parents are real folders. */
export async function collectChange(root: string, path: ByteName, breaches: Breach[]): Promise<Change> {
  const leave = (kind: Breach["kind"], reason: string): Change => {
    breaches.push({ kind, path: toText(path), reason });
    return { kind: "leave", path };
  };
  const stats = await lstat(fullPath(root, path)).catch(() => null);
  if (stats === null) return { kind: "delete", path };
  // Told by the scan, where it is not ignored.
  if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: "leave", path };
  if (!isTextName(path)) return leave("special-file", "the name is not valid UTF-8: rename the file");
  const link = stats.isSymbolicLink();
  if (
    toText(path)
      .split("/")
      .some((part) => isRefusedName(part, link))
  ) {
    return leave("special-file", "git refuses this name, which stands for a git folder on some systems: rename it");
  }
  if (stats.size > fileBytesMax) {
    return leave(
      "too-large",
      `the file has ${stats.size} bytes, more than ${fileBytesMax}: make it smaller or remove it`,
    );
  }
  // An agent may have left a file that its owner can't read.
  if (!link && (stats.mode & 0o400) === 0) await chmod(fullPath(root, path), (stats.mode & 0o777) | 0o400);
  const mode = link ? "120000" : (stats.mode & 0o100) === 0 ? "100644" : "100755";
  return { kind: "put", path, mode };
}

function isRefusedName(part: string, link: boolean): boolean {
  const seen = part.replaceAll(invisible, "");
  return gitName.test(seen) || (link && /^(\.gitmodules|gitmod~\d)[ .]*$/i.test(seen));
}

/** State of a submodule's folder, which is empty by right. */
export async function readSubmodule(root: string, path: ByteName): Promise<"empty" | "missing" | "filled"> {
  const stats = await lstat(fullPath(root, path)).catch(() => null);
  if (stats === null) return "missing";
  if (!stats.isDirectory()) return "filled";
  const folder = await readFolder(root, path);
  return folder.kind === "entries" && folder.entries.length === 0 ? "empty" : "filled";
}
