import type { Core } from "../core.ts";
import { type BareGit, branchHeads, noCommit } from "../git/bare.ts";
import { writeCommit } from "../git/commits.ts";
import { writeBlob, writeTree } from "../git/trees.ts";
import { tellItem, tellPush } from "../hooks/events.ts";
import { emailOf } from "../show/commit.ts";
import type { Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";

/** Files of a commit: `null` deletes. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** Makes a commit on a branch, or on a new one, as a person does with git; the branch does not move yet. */
export function makeCommit(
  core: Core,
  git: BareGit,
  parent: string | null,
  files: Files,
  by: { readonly login: string; readonly message: string },
): string {
  const entries = Object.entries(files).map(([path, content]) => ({
    path,
    mode: "100644",
    sha: content === null ? null : writeBlob(git, content),
  }));
  const tree = writeTree(git, parent, entries);
  if (tree === null) throw new Error(`git takes none of ${Object.keys(files).join(", ")}`);
  const identity = { name: by.login, email: emailOf(core, by.login), date: core.state.now() };
  const parents = parent === null ? [] : [parent];
  return writeCommit(git, { tree, parents, message: `${by.message}\n`, author: identity, committer: identity });
}

/** Looks which branches moved since it was last told, and tells of each. */
export function tellMovedBranches(core: Core, repository: Repository, sender: string): void {
  const heads = branchHeads(repository.git);
  for (const [branch, after] of heads) {
    const before = repository.toldHeads.get(branch) ?? noCommit;
    if (before !== after) tellMoved(core, repository, branch, before, after, sender);
  }
  for (const [branch, before] of repository.toldHeads) {
    if (!heads.has(branch)) tellMoved(core, repository, branch, before, noCommit, sender);
  }
}

function tellMoved(
  core: Core,
  repository: Repository,
  branch: string,
  before: string,
  after: string,
  sender: string,
): void {
  core.state.account(sender);
  repository.pushedAt = core.state.now();
  if (after === noCommit) repository.toldHeads.delete(branch);
  else repository.toldHeads.set(branch, after);
  tellPush(core, repository, { branch, before, after, sender });
  if (after === noCommit) return;
  for (const base of core.state.repositories) {
    for (const issue of base.issues.values()) follow(core, base, issue, repository, branch, after, sender);
  }
}

/** An open pull request follows the branch that it comes from. */
function follow(
  core: Core,
  base: Repository,
  issue: Issue,
  head: Repository,
  branch: string,
  after: string,
  sender: string,
): void {
  const { pull } = issue;
  if (pull === null || issue.state === "closed" || pull.headRepository !== head || pull.headRef !== branch) return;
  const before = pull.headSha;
  pull.headSha = after;
  keepHead(base, issue.number, head, after);
  issue.updatedAt = core.state.now();
  tellItem(core, base, issue, "synchronize", sender, { before, after });
}

/** Keeps a pull request's head in the base repository, where a fork's commits are fetched to. */
export function keepHead(base: Repository, number: number, head: Repository, sha: string): void {
  if (head !== base) base.git.run(["fetch", "--quiet", "--no-tags", head.git.folder, sha]);
  base.git.run(["update-ref", `refs/pull/${number}/head`, sha]);
}
