import type { Core } from "../core.ts";
import { diffLines, findDiffLine } from "../git/diff.ts";
import { tellReview, tellReviewComment } from "../hooks/events.ts";
import { pullFiles, pullOf } from "../show/pull.ts";
import type { Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import type { Place, Pull, Review, ReviewComment } from "../state-pulls.ts";

/** Lines of a hunk that a comment shows. */
const hunkLinesMax = 4;

/** Why a place is not in a pull request's diff, as GitHub names the field; null where it is. */
export function misplaced(repository: Repository, pull: Pull, place: Place): "path" | "line" | "start_line" | null {
  const file = pullFiles(repository, pull).find((item) => item.path === place.path);
  if (file === undefined) return "path";
  if (place.line === null) return null;
  const end = file.patch === null ? null : findDiffLine(file.patch, place.side, place.line);
  if (end === null) return "line";
  if (place.startLine === null) return null;
  const start = findDiffLine(file.patch ?? "", place.startSide ?? place.side, place.startLine);
  // GitHub refuses a range of one line, one that runs backwards, and one over two hunks.
  const backwards = (place.startSide ?? place.side) === place.side && place.startLine >= place.line;
  return start === null || backwards || start.hunk !== end.hunk ? "start_line" : null;
}

function hunkAt(repository: Repository, pull: Pull, place: Place): string {
  const patch = pullFiles(repository, pull).find((item) => item.path === place.path)?.patch ?? "";
  const end = place.line === null ? null : findDiffLine(patch, place.side, place.line);
  if (end === null) return "";
  const lines = diffLines(patch).filter((item) => item.hunk === end.hunk);
  const at = lines.findIndex((item) => item.left === end.left && item.right === end.right);
  const head = patch.split("\n").filter((line) => line.startsWith("@@ "))[end.hunk] ?? "";
  return [head, ...lines.slice(Math.max(0, at + 1 - hunkLinesMax), at + 1).map((item) => item.text)].join("\n");
}

export interface WantedComment extends Place {
  readonly body: string;
  readonly inReplyTo?: number;
}

/** Submits a review with its comments, whose places were looked at before. */
export function submitReview(
  core: Core,
  repository: Repository,
  issue: Issue,
  wanted: {
    readonly login: string;
    readonly body: string;
    readonly state: Review["state"];
    readonly commitSha: string | null;
    readonly comments: readonly WantedComment[];
  },
): { readonly review: Review; readonly comments: readonly ReviewComment[] } {
  const pull = pullOf(issue);
  core.state.account(wanted.login);
  const now = core.state.now();
  const review: Review = {
    id: core.state.nextId(),
    login: wanted.login,
    body: wanted.body,
    state: wanted.state,
    commitSha: wanted.commitSha ?? pull.headSha,
    submittedAt: now,
  };
  const comments = wanted.comments.map((item): ReviewComment => ({
    ...item,
    id: core.state.nextId(),
    reviewId: review.id,
    login: wanted.login,
    commitSha: review.commitSha,
    hunk: hunkAt(repository, pull, item),
    inReplyTo: item.inReplyTo ?? null,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  }));
  pull.reviews.push(review);
  pull.reviewComments.push(...comments);
  issue.updatedAt = now;
  tellReview(core, repository, issue, review);
  for (const comment of comments) tellReviewComment(core, repository, issue, comment);
  return { review, comments };
}

export function findReviewComment(repository: Repository, id: number): { issue: Issue; comment: ReviewComment } | null {
  for (const issue of repository.issues.values()) {
    const comment = issue.pull?.reviewComments.find((item) => item.id === id);
    if (comment !== undefined) return { issue, comment };
  }
  return null;
}
