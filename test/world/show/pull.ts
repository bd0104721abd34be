import type { Core } from "../core.ts";
import { branchHead } from "../git/bare.ts";
import { listCommits } from "../git/commits.ts";
import { type ChangedFile, changedFiles } from "../git/diff.ts";
import { mergeTrees } from "../git/trees.ts";
import type { Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import type { Pull, Review, ReviewComment } from "../state-pulls.ts";
import { showAccount, showAssociation } from "./account.ts";
import { commonBase } from "./commit.ts";
import { issuePath, showLabels, showReactions } from "./issue.ts";
import { showRepository } from "./repository.ts";
import { apiUrl, type Json, nodeId, webUrl } from "./values.ts";

export function pullOf(issue: Issue): Pull {
  if (issue.pull === null) throw new Error(`#${issue.number} is no pull request`);
  return issue.pull;
}

/** The commit that a pull request's diff starts from. A merged one keeps its own. */
export function pullBase(repository: Repository, pull: Pull): string {
  const base = pull.merge === null ? (branchHead(repository.git, pull.baseRef) ?? pull.baseSha) : pull.baseSha;
  return commonBase(repository, base, pull.headSha);
}

/** Files of a pull request as GitHub lists them. */
export function pullFiles(repository: Repository, pull: Pull): readonly ChangedFile[] {
  return changedFiles(repository.git, pullBase(repository, pull), pull.headSha);
}

export function pullCommits(repository: Repository, pull: Pull): readonly string[] {
  return listCommits(repository.git, pullBase(repository, pull), pull.headSha);
}

/** A pull request as lists show it. */
export function showPull(core: Core, repository: Repository, issue: Issue): Json {
  const pull = pullOf(issue);
  const url = apiUrl(core, repository, `/pulls/${issue.number}`);
  const issueUrl = apiUrl(core, repository, `/issues/${issue.number}`);
  const html = webUrl(core, repository, issuePath(issue));
  const statuses = apiUrl(core, repository, `/statuses/${pull.headSha}`);
  const link = (href: string): Json => ({ href });
  return {
    url,
    id: issue.id,
    node_id: nodeId("PullRequest", issue.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: apiUrl(core, repository, "/pulls/comments{/number}"),
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    active_lock_reason: null,
    title: issue.title,
    user: showAccount(core, issue.login),
    body: issue.body,
    labels: showLabels(core, repository, issue.labels),
    milestone: null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: pull.merge?.at ?? null,
    merge_commit_sha: pull.merge?.sha ?? null,
    assignee: showAccount(core, issue.assignees[0] ?? null),
    assignees: issue.assignees.map((login) => showAccount(core, login)),
    requested_reviewers: pull.requestedReviewers.map((login) => showAccount(core, login)),
    requested_teams: [],
    head: showEnd(core, pull.headOwner, pull.headRef, pull.headSha, pull.headRepository),
    base: showEnd(core, repository.owner, pull.baseRef, pull.baseSha, repository),
    _links: {
      self: link(url),
      html: link(html),
      issue: link(issueUrl),
      comments: link(`${issueUrl}/comments`),
      review_comments: link(`${url}/comments`),
      review_comment: link(apiUrl(core, repository, "/pulls/comments{/number}")),
      commits: link(`${url}/commits`),
      statuses: link(statuses),
    },
    author_association: showAssociation(repository, issue.login),
    auto_merge: null,
    draft: pull.draft,
  };
}

function showEnd(core: Core, owner: string, ref: string, sha: string, repository: Repository | null): Json {
  return {
    label: `${owner}:${ref}`,
    ref,
    sha,
    user: showAccount(core, owner),
    repo: repository === null ? null : showRepository(core, repository),
  };
}

/** A pull request with what only its own route and webhooks tell. */
export function showFullPull(core: Core, repository: Repository, issue: Issue): Json {
  const pull = pullOf(issue);
  const files = pullFiles(repository, pull);
  const base = branchHead(repository.git, pull.baseRef);
  const merged = pull.merge !== null;
  const merge = base === null || merged ? null : mergeTrees(repository.git, base, pull.headSha);
  const mergeable = merge?.clean ?? null;
  return {
    ...showPull(core, repository, issue),
    merged,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeable === null ? "unknown" : !mergeable ? "dirty" : pull.draft ? "draft" : "clean",
    merged_by: showAccount(core, pull.merge?.login ?? null),
    comments: issue.comments.length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: pull.headRepository !== null && pull.headRepository !== repository,
    commits: pullCommits(repository, pull).length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

export function showReview(core: Core, repository: Repository, issue: Issue, review: Review): Json {
  const html = webUrl(core, repository, `${issuePath(issue)}#pullrequestreview-${review.id}`);
  const url = apiUrl(core, repository, `/pulls/${issue.number}`);
  return {
    id: review.id,
    node_id: nodeId("PullRequestReview", review.id),
    user: showAccount(core, review.login),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: url,
    author_association: showAssociation(repository, review.login),
    _links: { html: { href: html }, pull_request: { href: url } },
    submitted_at: review.submittedAt,
    commit_id: review.commitSha,
  };
}

export function showReviewComment(core: Core, repository: Repository, issue: Issue, comment: ReviewComment): Json {
  const url = apiUrl(core, repository, `/pulls/comments/${comment.id}`);
  const html = webUrl(core, repository, `${issuePath(issue)}#discussion_r${comment.id}`);
  const pullUrl = apiUrl(core, repository, `/pulls/${issue.number}`);
  const wholeFile = comment.line === null;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId("PullRequestReviewComment", comment.id),
    diff_hunk: comment.hunk,
    path: comment.path,
    position: 1,
    original_position: 1,
    commit_id: comment.commitSha,
    original_commit_id: comment.commitSha,
    user: showAccount(core, comment.login),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: html,
    pull_request_url: pullUrl,
    author_association: showAssociation(repository, comment.login),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pullUrl } },
    ...(wholeFile ? {} : { line: comment.line, original_line: comment.line }),
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    side: comment.side,
    subject_type: wholeFile ? "file" : "line",
    reactions: showReactions(url, comment.reactions),
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}
