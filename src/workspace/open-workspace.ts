import { mkdir } from "node:fs/promises";
import pLimit from "p-limit";
import { readCandidate } from "./candidate.ts";
import { readDiff } from "./diff.ts";
import { type RepositoryLayout, repositoryLayout } from "./layout.ts";
import { commitTree, fetchInto, has, mergeBase, openMirror, pushTo, treeOf } from "./mirror.ts";
import { changedEntries, readBlob, readFile } from "./objects.ts";
import { exportPatch, importPatch } from "./patch.ts";
import { openTrash, type Trash } from "./trash.ts";
import { openTreePool, type TreeLimits } from "./trees.ts";
import type { GitRepository, Workspace } from "./workspace.ts";

/** A workspace on this machine's disk. */
export interface LocalWorkspace extends Workspace {
  /** Settles when nothing is being deleted in the background. */
  idle(): Promise<void>;
}

const limitsDefault: TreeLimits = { treesMax: 8, waitSeconds: 15 * 60 };

/**
 * Opens the repositories of a data folder: one bare mirror and one pool of reused trees each. What a crash left is
 * taken back as it is needed. Trees wait for each other, bounded; fetches into one mirror go one after the other.
 */
export function openWorkspace(dataFolder: string, limits: Partial<TreeLimits> = {}): LocalWorkspace {
  const opened = new Map<string, Promise<GitRepository>>();
  const trashes: Trash[] = [];
  const open = async (layout: RepositoryLayout, key: string): Promise<GitRepository> => {
    await mkdir(layout.folder, { recursive: true, mode: 0o700 });
    await openMirror(layout.mirror);
    const trash = openTrash(layout.trash);
    trashes.push(trash);
    trash.empty();
    return assembleRepository(key, layout, trash, { ...limitsDefault, ...limits });
  };
  return {
    repository: async (key) => {
      const known = opened.get(key);
      if (known !== undefined) return await known;
      const made = open(repositoryLayout(dataFolder, key), key);
      opened.set(key, made);
      made.catch(() => opened.delete(key));
      return await made;
    },
    idle: async () => {
      await Promise.all(trashes.map((trash) => trash.idle()));
    },
  };
}

function assembleRepository(key: string, layout: RepositoryLayout, trash: Trash, limits: TreeLimits): GitRepository {
  const { mirror } = layout;
  const fetches = pLimit(1);
  const trees = openTreePool(layout, trash, limits);
  return {
    key,
    fetch: (remote, names, signal) => fetches(() => fetchInto(mirror, remote, names, signal)),
    has: (object) => has(mirror, object),
    treeOf: (commit) => treeOf(mirror, commit),
    mergeBase: (a, b) => mergeBase(mirror, a, b),
    openTree: (tree) => trees.openTree(tree),
    readCandidate: (tree, baseTree) => readCandidate(tree.path, baseTree),
    diff: (baseTree, headTree) => readDiff(mirror, baseTree, headTree),
    exportPatch: (baseTree, headTree) => exportPatch(mirror, baseTree, headTree),
    importPatch: (baseTree, patch, headTree) => importPatch(mirror, baseTree, patch, headTree),
    changedEntries: (baseTree, headTree) => changedEntries(mirror, baseTree, headTree),
    readBlob: (blob) => readBlob(mirror, blob),
    readFile: (tree, path) => readFile(mirror, tree, path),
    push: (remote, commit, ref) => pushTo(mirror, remote, commit, ref),
    commit: (tree, parents, message, author) => commitTree(mirror, tree, parents, message, author),
  };
}
