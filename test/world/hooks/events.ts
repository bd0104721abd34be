import type { Core } from "../core.ts";
import { branchHead, isAncestor, noCommit } from "../git/bare.ts";
import { listCommits, readCommits } from "../git/commits.ts";
import { showAccount, showOrganization } from "../show/account.ts";
import { showCheckRun, showShortSuite } from "../show/check.ts";
import { showPushedCommit } from "../show/commit.ts";
import { showComment, showIssue } from "../show/issue.ts";
import { showFullPull, showPull, showReview, showReviewComment } from "../show/pull.ts";
import { showRepository } from "../show/repository.ts";
import { type Json, nodeId, webUrl } from "../show/values.ts";
import type { Repository } from "../state.ts";
import type { CheckRun } from "../state-checks.ts";
import type { Comment, Issue } from "../state-issues.ts";
import type { Review, ReviewComment } from "../state-pulls.ts";

/** Commits that a push tells of at most. */
const pushedCommitsMax = 2048;

/** What every webhook about a repository holds. */
function common(core: Core, repository: Repository, sender: string): Json {
  const { app } = core;
  const isOrganization = core.state.account(repository.owner).type === "Organization";
  return {
    repository: showRepository(core, repository),
    ...(isOrganization ? { organization: showOrganization(core, repository.owner) } : {}),
    sender: showAccount(core, sender),
    installation: { id: app.installationId, node_id: nodeId("Installation", app.installationId) },
  };
}

/** Something happened to an issue or a pull request; each has webhooks of its own. */
export function tellItem(
  core: Core,
  repository: Repository,
  issue: Issue,
  action: string,
  sender: string,
  more: Json = {},
): void {
  if (issue.pull === null) {
    core.hooks.emit("issues", action, {
      issue: showIssue(core, repository, issue),
      ...more,
      ...common(core, repository, sender),
    });
    return;
  }
  core.hooks.emit("pull_request", action, {
    number: issue.number,
    pull_request: showFullPull(core, repository, issue),
    ...more,
    ...common(core, repository, sender),
  });
}

export function tellComment(
  core: Core,
  repository: Repository,
  issue: Issue,
  comment: Comment,
  action: "created" | "edited" | "deleted",
  sender: string,
  more: Json = {},
): void {
  core.hooks.emit("issue_comment", action, {
    issue: showIssue(core, repository, issue),
    comment: showComment(core, repository, issue, comment),
    ...more,
    ...common(core, repository, sender),
  });
}

/** A branch was made, moved or deleted. */
export function tellPush(
  core: Core,
  repository: Repository,
  push: { readonly branch: string; readonly before: string; readonly after: string; readonly sender: string },
): void {
  const { git } = repository;
  const { before, after } = push;
  const made = before === noCommit;
  const gone = after === noCommit;
  // A new branch brings what the default branch has not.
  const from = made ? branchHead(git, repository.defaultBranch) : before;
  const ids = gone || from === null ? [] : listCommits(git, from, after).slice(-pushedCommitsMax);
  const shown = readCommits(git, ids).map((commit) => showPushedCommit(core, repository, commit));
  const [head] = gone ? [] : readCommits(git, [after]);
  const shared = common(core, repository, push.sender);
  const seconds = (time: string): number => Date.parse(time) / 1000;
  core.hooks.emit("push", null, {
    ref: `refs/heads/${push.branch}`,
    before,
    after,
    ...shared,
    // Only here GitHub writes these times as seconds.
    repository: {
      ...(shared["repository"] as Json),
      created_at: seconds(repository.createdAt),
      pushed_at: seconds(repository.pushedAt),
      stargazers: 0,
      master_branch: repository.defaultBranch,
    },
    pusher: { name: push.sender, email: `${push.sender}@users.noreply.github.com` },
    created: made,
    deleted: gone,
    forced: !made && !gone && !isAncestor(git, before, after),
    base_ref: null,
    compare: webUrl(core, repository, `/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`),
    commits: shown,
    head_commit: head === undefined ? null : showPushedCommit(core, repository, head),
  });
}

export function tellCheckRun(
  core: Core,
  repository: Repository,
  run: CheckRun,
  action: "created" | "completed" | "rerequested" | "requested_action",
  sender: string,
  more: Json = {},
): void {
  core.hooks.emit("check_run", action, {
    check_run: { ...showCheckRun(core, repository, run), check_suite: showShortSuite(core, repository, run) },
    ...more,
    ...common(core, repository, sender),
  });
}

export function tellReview(core: Core, repository: Repository, issue: Issue, review: Review): void {
  core.hooks.emit("pull_request_review", "submitted", {
    // Here, and only here, GitHub writes the state in lower case.
    review: { ...showReview(core, repository, issue, review), state: review.state.toLowerCase() },
    pull_request: showPull(core, repository, issue),
    ...common(core, repository, review.login),
  });
}

export function tellReviewComment(core: Core, repository: Repository, issue: Issue, comment: ReviewComment): void {
  core.hooks.emit("pull_request_review_comment", "created", {
    comment: {
      original_line: comment.line,
      line: comment.line,
      ...showReviewComment(core, repository, issue, comment),
    },
    pull_request: showPull(core, repository, issue),
    ...common(core, repository, comment.login),
  });
}
