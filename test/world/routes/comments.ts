import { addComment, deleteComment, editComment, findComment } from "../acts/comments.ts";
import { type Answer, created, list, noContent, notAccessible, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, type RouteTable, sharedRoute } from "../api/route-table.ts";
import { showComment } from "../show/issue.ts";
import type { Comment, Issue } from "../state-issues.ts";
import { tooLong, withIssue } from "./issues.ts";

function listComments({ core, repository, query }: RepositoryCall, issue: Issue): Answer {
  const since = query["since"];
  const found = issue.comments.filter((item) => since === undefined || Date.parse(item.updatedAt) >= Date.parse(since));
  return list(found.map((item) => showComment(core, repository, issue, item)));
}

function createComment({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  const problem = tooLong("IssueComment", body["body"]);
  if (problem !== null) return problem;
  if (issue.locked) return refuse(403, "Unable to create comment because issue is locked.");
  const comment = addComment(core, repository, issue, actor, String(body["body"]));
  return created(showComment(core, repository, issue, comment));
}

/** Runs with the App's own comment of the path's id. */
function withOwnComment(run: (call: RepositoryCall, issue: Issue, comment: Comment) => Answer) {
  return (call: RepositoryCall): Answer => {
    const found = findComment(call.repository, Number(call.params["comment_id"]));
    if (found === null) return notFound;
    return found.comment.login === call.actor ? run(call, found.issue, found.comment) : notAccessible;
  };
}

function updateComment(call: RepositoryCall, issue: Issue, comment: Comment): Answer {
  const { core, repository, body, actor } = call;
  const problem = tooLong("IssueComment", body["body"]);
  if (problem !== null) return problem;
  editComment(core, repository, issue, comment, actor, String(body["body"]));
  return ok(showComment(core, repository, issue, comment));
}

export const commentRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": sharedRoute("read", withIssue(listComments)),
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": sharedRoute("write", withIssue(createComment)),
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": sharedRoute("write", withOwnComment(updateComment)),
  "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}": sharedRoute(
    "write",
    withOwnComment(({ core, repository, actor }, issue, comment) => {
      deleteComment(core, repository, issue, comment, actor);
      return noContent;
    }),
  ),
};
