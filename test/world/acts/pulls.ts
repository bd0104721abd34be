import type { Core } from "../core.ts";
import { branchHead } from "../git/bare.ts";
import { writeCommit } from "../git/commits.ts";
import { mergeTrees } from "../git/trees.ts";
import { tellItem } from "../hooks/events.ts";
import { showAccount } from "../show/account.ts";
import { emailOf } from "../show/commit.ts";
import { pullOf } from "../show/pull.ts";
import { ghost, type Repository, sameName } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import { keepHead, tellMovedBranches } from "./branches.ts";
import { makeIssue, noteEvent } from "./issues.ts";

export interface WantedPull {
  readonly login: string | null;
  /** A branch, or `owner:branch` of a fork. */
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string | null;
  readonly draft: boolean;
}

/** Opens a pull request, or says in GitHub's words why not. */
export function openPull(core: Core, repository: Repository, wanted: WantedPull): Issue | { readonly refusal: string } {
  const [owner, branch] = wanted.head.includes(":")
    ? (wanted.head.split(":", 2) as [string, string])
    : [repository.owner, wanted.head];
  const head = core.state.repositories.find(
    (item) => sameName(item.owner, owner) && (item === repository || item.parent === repository),
  );
  const headSha = head === undefined ? null : branchHead(head.git, branch);
  const baseSha = branchHead(repository.git, wanted.base);
  if (head === undefined || headSha === null) return { refusal: "head invalid" };
  if (baseSha === null) return { refusal: "base invalid" };
  const same = [...repository.issues.values()].some(
    ({ state, pull }) =>
      state === "open" && pull?.headRepository === head && pull.headRef === branch && pull.baseRef === wanted.base,
  );
  if (same) return { refusal: `A pull request already exists for ${owner}:${branch}.` };
  if (head !== repository) repository.git.run(["fetch", "--quiet", "--no-tags", head.git.folder, headSha]);
  if (repository.git.run(["rev-list", "--count", `${baseSha}..${headSha}`]) === "0") {
    return { refusal: `No commits between ${repository.owner}:${wanted.base} and ${owner}:${branch}` };
  }
  if (wanted.draft && !repository.draftsSupported) {
    return { refusal: "Draft pull requests are not supported in this repository." };
  }
  const issue = makeIssue(core, repository, {
    ...wanted,
    pull: {
      headRef: branch,
      headOwner: head.owner,
      headRepository: head,
      headSha,
      baseRef: wanted.base,
      baseSha,
      draft: wanted.draft,
      merge: null,
      requestedReviewers: [],
      reviews: [],
      reviewComments: [],
    },
  });
  keepHead(repository, issue.number, head, headSha);
  tellItem(core, repository, issue, "opened", wanted.login ?? ghost);
  return issue;
}

export function setDraft(core: Core, repository: Repository, issue: Issue, login: string, draft: boolean): void {
  const pull = pullOf(issue);
  if (pull.draft === draft) return;
  pull.draft = draft;
  const event = draft ? "convert_to_draft" : "ready_for_review";
  noteEvent(core, issue, login, event);
  tellItem(core, repository, issue, draft ? "converted_to_draft" : "ready_for_review", login);
}

/** Points a pull request at another base branch; false where there is no such branch. */
export function retarget(core: Core, repository: Repository, issue: Issue, login: string, base: string): boolean {
  const pull = pullOf(issue);
  const sha = branchHead(repository.git, base);
  if (sha === null) return false;
  if (pull.baseRef === base) return true;
  const changes = { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } };
  pull.baseRef = base;
  pull.baseSha = sha;
  tellItem(core, repository, issue, "edited", login, { changes });
  return true;
}

export function requestReview(core: Core, repository: Repository, issue: Issue, login: string, reviewer: string): void {
  const pull = pullOf(issue);
  if (pull.requestedReviewers.includes(reviewer)) return;
  pull.requestedReviewers.push(reviewer);
  const requested = showAccount(core, reviewer);
  noteEvent(core, issue, login, "review_requested", {
    review_requester: showAccount(core, login),
    requested_reviewer: requested,
  });
  tellItem(core, repository, issue, "review_requested", login, { requested_reviewer: requested });
}

/** Merges with a merge commit; false where it cannot be merged. */
export function mergePull(core: Core, repository: Repository, issue: Issue, login: string): string | null {
  const pull = pullOf(issue);
  const { git } = repository;
  const base = branchHead(git, pull.baseRef);
  if (base === null || issue.state === "closed" || pull.draft) return null;
  const merged = mergeTrees(git, base, pull.headSha);
  if (merged === null || !merged.clean) return null;
  const now = core.state.now();
  const sha = writeCommit(git, {
    tree: merged.tree,
    parents: [base, pull.headSha],
    message: `Merge pull request #${issue.number} from ${pull.headOwner}/${pull.headRef}\n\n${issue.title}\n`,
    author: { name: login, email: emailOf(core, login), date: now },
    committer: { name: "GitHub", email: "noreply@github.com", date: now },
  });
  git.run(["update-ref", `refs/heads/${pull.baseRef}`, sha]);
  pull.baseSha = base;
  pull.merge = { sha, login, at: now };
  issue.state = "closed";
  issue.closedAt = now;
  noteEvent(core, issue, login, "merged");
  tellMovedBranches(core, repository, login);
  tellItem(core, repository, issue, "closed", login);
  return sha;
}
