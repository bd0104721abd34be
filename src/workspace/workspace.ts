import type { Diff } from "../domain/diff.ts";
import type { Breach } from "../domain/gate-result.ts";

/** A checked-out tree from the pool. Never shared; handed back, never deleted on the critical path. */
export interface Tree {
  readonly path: string;
  /** Gives the tree back to the pool; it is cleaned of everything, ignored files too, before it is used again. */
  release(): Promise<void>;
}

/** What an agent left, turned into a tree id without running anything of the agent's. */
export interface Candidate {
  readonly tree: string;
  /** FIFOs, devices, oversize files, nested git folders with content: never part of the tree, always told. */
  readonly breaches: readonly Breach[];
}

/** One changed entry for GitHub's Git Data API. */
export interface ChangedEntry {
  readonly path: string;
  readonly mode: "100644" | "100755" | "120000" | "160000";
  /** null: deleted. */
  readonly blob: string | null;
}

/** How the server that holds the repository is reached. The token goes to git by its environment only. */
export interface Remote {
  readonly url: string;
  readonly token: () => Promise<string>;
}

/** One repository's own git folder, outside every tree, and what is done with it. */
export interface GitRepository {
  /** Names the repository's folder below the data folder: what belongs to it (outputs of `setup`) lies beside it. */
  readonly key: string;
  /** Brings commits in. Each name is a full ref (`refs/heads/main`) or a commit id. Bounded in time; submodules never. */
  fetch(remote: Remote, names: readonly string[], signal?: AbortSignal): Promise<void>;
  has(object: string): Promise<boolean>;
  treeOf(commit: string): Promise<string>;
  mergeBase(a: string, b: string): Promise<string | null>;
  /** Exactly this tree on disk, nothing else. */
  openTree(tree: string): Promise<Tree>;
  /** `baseTree` decides which gitlinks are allowed to stay. */
  readCandidate(tree: Tree, baseTree: string): Promise<Candidate>;
  diff(baseTree: string, headTree: string): Promise<Diff>;
  /** A compressed binary patch for the record, so that any machine can go on. */
  exportPatch(baseTree: string, headTree: string): Promise<Uint8Array>;
  /** Makes the head tree again from base and patch; its id must be the one given. */
  importPatch(baseTree: string, patch: Uint8Array, headTree: string): Promise<void>;
  changedEntries(baseTree: string, headTree: string): Promise<readonly ChangedEntry[]>;
  readBlob(blob: string): Promise<Uint8Array>;
  /** A file of a tree by name, links never followed; null where there is none. */
  readFile(tree: string, path: string): Promise<Uint8Array | null>;
  /** Pushes one object id to one ref of an explicit URL, never forced. For what the API can not carry. */
  push(remote: Remote, commit: string, ref: string): Promise<void>;
  /** A commit object on `tree`, for pushes. */
  commit(
    tree: string,
    parents: readonly string[],
    message: string,
    author: { name: string; email: string },
  ): Promise<string>;
}

/** All repositories of a data folder. */
export interface Workspace {
  /** `key` names the repository's folder: GitHub's id, or a hash for a local repository. */
  repository(key: string): Promise<GitRepository>;
}
