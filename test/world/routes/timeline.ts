import { list } from "../api/reply.ts";
import { type RepositoryCall, type RouteTable, sharedRoute } from "../api/route-table.ts";
import { showAccount } from "../show/account.ts";
import { showComment, showIssueEvent } from "../show/issue.ts";
import type { Issue } from "../state-issues.ts";
import { withIssue } from "./issues.ts";

/** Events and comments, in the order of their ids, which is the order of time. */
function timeline({ core, repository }: RepositoryCall, issue: Issue) {
  const events = issue.events.map((item) => ({ id: item.id, shown: showIssueEvent(core, repository, item) }));
  const comments = issue.comments.map((item) => ({
    id: item.id,
    shown: {
      ...showComment(core, repository, issue, item),
      event: "commented",
      actor: showAccount(core, item.login),
    },
  }));
  return list([...events, ...comments].toSorted((a, b) => a.id - b.id).map((item) => item.shown));
}

export const timelineRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/issues/{issue_number}/timeline": sharedRoute("read", withIssue(timeline)),
  "GET /repos/{owner}/{repo}/issues/{issue_number}/events": sharedRoute(
    "read",
    withIssue(({ core, repository }, issue) =>
      list(issue.events.map((item) => showIssueEvent(core, repository, item))),
    ),
  ),
};
