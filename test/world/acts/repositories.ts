import type { Core } from "../core.ts";
import { branchHead, branchHeads, makeBareGit } from "../git/bare.ts";
import type { Repository } from "../state.ts";
import { makeCommit, tellMovedBranches } from "./branches.ts";

export interface WantedRepository {
  readonly owner: string;
  readonly name: string;
  /** Contents of the first commit; none: the repository is empty. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly defaultBranch?: string;
  readonly isPrivate?: boolean;
}

export function makeRepository(core: Core, wanted: WantedRepository): Repository {
  core.state.account(wanted.owner, "Organization");
  const repository = addRepository(core, { ...wanted, parent: null });
  if (Object.keys(wanted.files).length > 0) {
    const { git, defaultBranch } = repository;
    const commit = makeCommit(core, git, null, wanted.files, { login: wanted.owner, message: "Begin" });
    git.run(["update-ref", `refs/heads/${defaultBranch}`, commit]);
  }
  tellNothingOf(repository);
  return repository;
}

/** Copies a repository to a person's account, as "Fork" does. */
export function makeFork(core: Core, parent: Repository, login: string): Repository {
  core.state.account(login);
  const { name, defaultBranch, isPrivate } = parent;
  const fork = addRepository(core, { owner: login, name, defaultBranch, isPrivate, parent });
  fork.git.run(["fetch", "--quiet", parent.git.folder, "refs/heads/*:refs/heads/*"]);
  tellNothingOf(fork);
  return fork;
}

/** Deletes a fork; pull requests that came from it stay, without a head repository. */
export function deleteFork(core: Core, fork: Repository): void {
  core.state.repositories.splice(core.state.repositories.indexOf(fork), 1);
  for (const repository of core.state.repositories) {
    for (const { pull } of repository.issues.values()) {
      if (pull?.headRepository === fork) pull.headRepository = null;
    }
  }
}

function addRepository(
  core: Core,
  wanted: Omit<WantedRepository, "files"> & { readonly parent: Repository | null },
): Repository {
  const id = core.state.nextId();
  const defaultBranch = wanted.defaultBranch ?? "main";
  const now = core.state.now();
  const repository: Repository = {
    id,
    owner: wanted.owner,
    name: wanted.name,
    isPrivate: wanted.isPrivate ?? false,
    archived: false,
    defaultBranch,
    draftsSupported: true,
    signsCommits: true,
    parent: wanted.parent,
    git: makeBareGit(core.root, id, defaultBranch),
    createdAt: now,
    pushedAt: now,
    roles: new Map(),
    issues: new Map(),
    labels: new Map(),
    checkRuns: [],
    checkSuites: new Map(),
    statuses: [],
    protection: new Map(),
    rules: new Map(),
    toldHeads: new Map(),
    signed: new Set(),
  };
  core.state.repositories.push(repository);
  return repository;
}

/** What is there from the beginning was not pushed. */
function tellNothingOf(repository: Repository): void {
  for (const [branch, sha] of branchHeads(repository.git)) repository.toldHeads.set(branch, sha);
}

/** Makes a branch at another one's head, or at a commit. */
export function makeBranch(core: Core, repository: Repository, branch: string, from: string, login: string): void {
  repository.git.run(["update-ref", `refs/heads/${branch}`, branchHead(repository.git, from) ?? from]);
  tellMovedBranches(core, repository, login);
}
