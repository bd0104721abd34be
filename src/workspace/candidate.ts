import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Breach } from "../domain/gate-result.ts";
import { type ByteName, parentOf, splitNul, toBytes, toText } from "./byte-name.ts";
import { type Change, collectChange, readSubmodule } from "./candidate-change.ts";
import { git, type GitOptions } from "./git.ts";
import { hashFiles } from "./hash-files.ts";
import { type TreePlace, treePlace } from "./layout.ts";
import { checkObjectId } from "./object-name.ts";
import { readSafely, type Scan } from "./scan.ts";
import { pathBytesMax } from "./walk.ts";
import type { Candidate } from "./workspace.ts";

/** More changed files than this are no change that anyone can judge. */
const changesMax = 50_000;
const deletedId = "0".repeat(40);

/**
 * Makes a tree object of what lies on disk, by plumbing alone: nothing of the tree is run, no filter, no conversion.
 * Ignore rules are those of the tree as the agent left it; a change of them is part of the diff. Tracked files stay
 * tracked. The agent's own commits play no part.
 */
export async function readCandidate(treePath: string, baseTree: string): Promise<Candidate> {
  const place = treePlace(treePath);
  checkObjectId(baseTree);
  return await readSafely(place, async (scan) => {
    const options = { gitDir: place.mirror, workTree: place.path, indexFile: place.index };
    const breaches: Breach[] = [];
    const [modified, untracked, told] = await Promise.all([
      listModified(options),
      scan.cut ? [] : listUntracked(options),
      scan.cut ? [] : notIgnored(options, scan),
    ]);
    breaches.push(...told, ...cutBreach(scan));

    const changes: Change[] = [];
    if (modified.length + untracked.length > changesMax) {
      breaches.push(breach("too-many", "", `more than ${changesMax} files changed: none of the change was taken`));
    } else {
      for (const { path, deleted } of modified) {
        changes.push(deleted ? { kind: "delete", path } : await collectChange(place.path, path, breaches));
      }
      for (const path of untracked) changes.push(await collectChange(place.path, path, breaches));
    }
    changes.push(...(await checkSubmodules(place, baseTree, breaches)));
    return { tree: await writeTree(place, changes), breaches };
  });
}

interface Modified {
  readonly path: ByteName;
  readonly deleted: boolean;
}

/** Tracked files whose stat data differ. Behind a link in place of a folder, git calls them deleted. */
async function listModified(options: GitOptions): Promise<Modified[]> {
  const listed = await git(["diff-files", "-z", "--raw", "--no-renames", "--ignore-submodules=all"], options);
  const fields = splitNul(listed.stdout);
  const modified: Modified[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    modified.push({ path: fields[at + 1] ?? "", deleted: fields[at]?.endsWith("D") === true });
  }
  return modified;
}

async function listUntracked(options: GitOptions): Promise<ByteName[]> {
  const listed = await git(["ls-files", "-z", "--others", "--exclude-standard"], options);
  return splitNul(listed.stdout).filter((path) => path.length <= pathBytesMax && !path.endsWith("/"));
}

/** Breaches of the scan; what lies in an ignored folder is nobody's business. */
async function notIgnored(options: GitOptions, scan: Scan): Promise<Breach[]> {
  const found = [
    ...scan.specials.map((path) => ({ path, asked: path, what: breach("special-file", path, special) })),
    ...scan.gitFolders.map((path) => ({ path, asked: parentOf(path), what: breach("submodule", path, nested) })),
    ...scan.tooDeep.map((path) => ({ path, asked: path, what: breach("special-file", path, deep) })),
  ];
  if (found.length === 0) return [];
  // The one command that refuses literal names; `./` in front keeps a leading `:` from being read as magic.
  const stdin = toBytes(found.map((each) => `./${each.asked}`).join("\0"));
  const env = { GIT_LITERAL_PATHSPECS: "0" };
  const listed = await git(["check-ignore", "-z", "--stdin"], { ...options, env, stdin, exitCodes: [1] });
  const ignored = new Set(splitNul(listed.stdout).map((path) => path.slice(2)));
  return found.filter((each) => !ignored.has(each.asked)).map((each) => each.what);
}

const special = "a FIFO, socket or device can not be part of a change: remove it";
const nested = "a git folder inside the repository can not be part of a change: remove it";
const deep = `the path is longer than ${pathBytesMax} bytes: remove the folder`;

function cutBreach(scan: Scan): Breach[] {
  return scan.cut ? [breach("too-many", "", "the tree holds too many files: new files were not taken")] : [];
}

function breach(kind: Breach["kind"], path: ByteName, reason: string): Breach {
  const shown = path.length > 500 ? `${path.slice(0, 500)}…` : path;
  return { kind, path: toText(shown), reason };
}

/** Links to other repositories stay only as the base has them, and their folders stay empty. */
async function checkSubmodules(place: TreePlace, baseTree: string, breaches: Breach[]): Promise<Change[]> {
  const options = { gitDir: place.mirror, workTree: place.path, indexFile: place.index };
  const staged = (await git(["ls-files", "-z", "--stage"], { ...options, outputBytesMax: listingBytesMax })).stdout;
  if (!staged.includes("160000 ")) return [];
  const links = splitNul(staged).filter((record) => record.startsWith("160000 "));
  if (links.length === 0) return [];
  const base = await git(["ls-tree", "-r", "-z", "--full-tree", baseTree], {
    gitDir: place.mirror,
    outputBytesMax: listingBytesMax,
  });
  const allowed = new Set(
    splitNul(base.stdout)
      .filter((record) => record.startsWith("160000 "))
      .map((record) => record.replace(/^160000 commit /, "")),
  );
  const changes: Change[] = [];
  for (const record of links) {
    const tab = record.indexOf("\t");
    const path = record.slice(tab + 1);
    const id = record.split(" ")[1] ?? "";
    if (!allowed.has(`${id}\t${path}`)) {
      breaches.push(breach("submodule", path, "a submodule that the base does not have: remove it"));
      changes.push({ kind: "delete", path });
      continue;
    }
    const state = await readSubmodule(place.path, path);
    if (state === "missing") changes.push({ kind: "delete", path });
    if (state === "filled") breaches.push(breach("submodule", path, "files in a submodule's folder were not taken"));
  }
  return changes;
}

const listingBytesMax = 512 * 1024 * 1024;

/** Puts the changes into a copy of the index: the original's stat data and time are what a later reading trusts. */
async function writeTree(place: TreePlace, changes: readonly Change[]): Promise<string> {
  const indexFile = join(place.scratch, "index");
  await copyFile(place.index, indexFile);
  const options = { gitDir: place.mirror, indexFile };
  const files = changes.filter((change) => change.kind === "put");
  const ids = await hashFiles(place, files);
  const lines = [
    ...changes.filter((change) => change.kind === "delete").map(({ path }) => `0 ${deletedId}\t${path}`),
    ...files.map((file, at) => `${file.mode} ${ids[at]}\t${file.path}`),
  ];
  if (lines.length > 0) {
    await git(["update-index", "-z", "--index-info"], { ...options, stdin: toBytes(`${lines.join("\0")}\0`) });
  }
  return (await git(["write-tree"], options)).stdout.toString("utf8").trim();
}
