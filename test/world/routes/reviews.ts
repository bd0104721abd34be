import { findReviewComment, misplaced, submitReview, type WantedComment } from "../acts/reviews.ts";
import { type Answer, created, invalid, list, notAccessible, notFound, ok, unprocessable } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { pullOf, showReview, showReviewComment } from "../show/pull.ts";
import { resolveCommit } from "../git/bare.ts";
import type { Issue } from "../state-issues.ts";
import type { Review, Side } from "../state-pulls.ts";
import { withPull } from "./pulls.ts";

/** A comment as requests write it. */
interface Given {
  readonly path: string;
  readonly body: string;
  readonly line?: number;
  readonly side?: Side;
  readonly start_line?: number;
  readonly start_side?: Side;
  readonly subject_type?: "line" | "file";
}

function wantedOf(given: Given): WantedComment {
  const start = given.start_line ?? null;
  return {
    path: given.path,
    body: given.body,
    line: given.line ?? null,
    side: given.side ?? "RIGHT",
    startLine: start,
    startSide: start === null ? null : (given.start_side ?? given.side ?? "RIGHT"),
  };
}

const states: Readonly<Record<string, Review["state"]>> = {
  COMMENT: "COMMENTED",
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
};

const words = {
  path: "Path could not be resolved",
  line: "Line could not be resolved",
  start_line: "Start line must precede the end line and be part of the same hunk",
};

/** All comments stand, or none: one outside of the diff refuses the whole review. */
function createReview(call: RepositoryCall, issue: Issue): Answer {
  const { core, repository, body, actor } = call;
  const pull = pullOf(issue);
  const state = states[String(body["event"])];
  if (state === undefined) return unprocessable("Pending reviews are not kept by this world");
  const text = (body["body"] as string | undefined) ?? "";
  const comments = ((body["comments"] as readonly Given[] | undefined) ?? []).map(wantedOf);
  if (state !== "APPROVED" && text === "" && comments.length === 0) {
    return unprocessable(`Review cannot be empty: body can't be blank for ${state}`);
  }
  if (state !== "COMMENTED" && issue.login === actor) {
    const what = state === "APPROVED" ? "approve" : "request changes on";
    return unprocessable(`Can not ${what} your own pull request`);
  }
  const commitSha = (body["commit_id"] as string | undefined) ?? null;
  if (commitSha !== null && resolveCommit(repository.git, commitSha) === null) {
    return unprocessable("The commit_id is not part of the pull request");
  }
  if (comments.some((item) => item.line === null)) return unprocessable(words.line);
  const wrong = comments.map((item) => misplaced(repository, pull, item)).find((item) => item !== null);
  if (wrong !== undefined && wrong !== null) return unprocessable(words[wrong]);
  const made = submitReview(core, repository, issue, { login: actor, body: text, state, commitSha, comments });
  return ok(showReview(core, repository, issue, made.review));
}

function createComment(call: RepositoryCall, issue: Issue): Answer {
  const { core, repository, body, actor } = call;
  const wanted = wantedOf(body as unknown as Given);
  if (wanted.line === null && body["subject_type"] !== "file") return outside("line");
  const wrong = misplaced(repository, pullOf(issue), wanted);
  if (wrong !== null) return outside(wrong);
  return single(call, issue, wanted, String(body["commit_id"]), core, actor);
}

const outside = (field: keyof typeof words): Answer =>
  invalid("PullRequestReviewComment", `pull_request_review_thread.${field} must be part of the diff`, {
    field: `pull_request_review_thread.${field}`,
  });

/** A single comment is a review of its own, as on GitHub. */
function single(
  { repository }: RepositoryCall,
  issue: Issue,
  wanted: WantedComment,
  commitSha: string | null,
  core: RepositoryCall["core"],
  login: string,
): Answer {
  const made = submitReview(core, repository, issue, {
    login,
    body: "",
    state: "COMMENTED",
    commitSha,
    comments: [wanted],
  });
  const [comment] = made.comments;
  return comment === undefined ? notFound : created(showReviewComment(core, repository, issue, comment));
}

function reply(call: RepositoryCall, issue: Issue): Answer {
  const { core, params, body, actor } = call;
  const to = pullOf(issue).reviewComments.find((item) => item.id === Number(params["comment_id"]));
  if (to === undefined) return notFound;
  const wanted = { ...to, body: String(body["body"]), inReplyTo: to.inReplyTo ?? to.id };
  return single(call, issue, wanted, to.commitSha, core, actor);
}

export const reviewRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews": route(
    "pull_requests",
    "read",
    withPull(({ core, repository }, issue) =>
      list(pullOf(issue).reviews.map((review) => showReview(core, repository, issue, review))),
    ),
  ),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews": route("pull_requests", "write", withPull(createReview)),
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments": route(
    "pull_requests",
    "read",
    withPull(({ core, repository, params }, issue) => {
      const { reviews, reviewComments } = pullOf(issue);
      const id = Number(params["review_id"]);
      if (!reviews.some((review) => review.id === id)) return notFound;
      const found = reviewComments.filter((item) => item.reviewId === id);
      return list(found.map((item) => showReviewComment(core, repository, issue, item)));
    }),
  ),
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments": route(
    "pull_requests",
    "read",
    withPull(({ core, repository }, issue) =>
      list(pullOf(issue).reviewComments.map((item) => showReviewComment(core, repository, issue, item))),
    ),
  ),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments": route("pull_requests", "write", withPull(createComment)),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies": route(
    "pull_requests",
    "write",
    withPull(reply),
  ),
  "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}": route("pull_requests", "write", (call) => {
    const { core, repository, params, body, actor } = call;
    const found = findReviewComment(repository, Number(params["comment_id"]));
    if (found === null) return notFound;
    if (found.comment.login !== actor) return notAccessible;
    found.comment.body = String(body["body"]);
    found.comment.updatedAt = core.state.now();
    return ok(showReviewComment(core, repository, found.issue, found.comment));
  }),
};
