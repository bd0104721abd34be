import { addLabel } from "../acts/labels.ts";
import { assignItem, editItem, makeIssue, setItemState } from "../acts/issues.ts";
import { type Answer, created, invalid, list, notFound, ok } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable, sharedRoute } from "../api/route-table.ts";
import { tellItem } from "../hooks/events.ts";
import { showIssue } from "../show/issue.ts";
import { type Repository, sameName } from "../state.ts";
import type { Issue } from "../state-issues.ts";

/** GitHub's limits on a title and a body, in characters. */
const titleCharactersMax = 256;
const bodyCharactersMax = 65_536;

/** Why a text is too long; null where it is not. */
export function tooLong(resource: string, body: unknown, title: unknown = ""): Answer | null {
  if (typeof body === "string" && body.length > bodyCharactersMax) {
    return invalid(resource, `body is too long (maximum is ${bodyCharactersMax} characters)`, { field: "body" });
  }
  return typeof title === "string" && title.length > titleCharactersMax
    ? invalid(resource, `title is too long (maximum is ${titleCharactersMax} characters)`, { field: "title" })
    : null;
}

/** Runs with the issue or pull request of the path's number, or answers that there is none. */
export function withIssue(run: (call: RepositoryCall, issue: Issue) => Answer): (call: RepositoryCall) => Answer {
  return (call) => {
    const issue = call.repository.issues.get(Number(call.params["issue_number"]));
    return issue === undefined ? notFound : run(call, issue);
  };
}

function createIssue(call: RepositoryCall): Answer {
  const { core, repository, body, actor } = call;
  const problem = tooLong("Issue", body["body"], body["title"]);
  if (problem !== null) return problem;
  const issue = makeIssue(core, repository, {
    login: actor,
    title: String(body["title"]),
    body: (body["body"] as string | undefined) ?? null,
    pull: null,
  });
  tellItem(core, repository, issue, "opened", actor);
  for (const label of (body["labels"] as readonly string[] | undefined) ?? []) {
    addLabel(core, repository, issue, actor, label);
  }
  for (const login of (body["assignees"] as readonly string[] | undefined) ?? []) {
    assignItem(core, repository, issue, actor, login);
  }
  return created(showIssue(core, repository, issue));
}

function updateIssue({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  const problem = tooLong("Issue", body["body"], body["title"]);
  if (problem !== null) return problem;
  editItem(core, repository, issue, actor, body);
  const state = body["state"] as Issue["state"] | undefined;
  if (state !== undefined) setItemState(core, repository, issue, actor, state);
  return ok(showIssue(core, repository, issue));
}

function listIssues({ core, repository, query }: RepositoryCall): Answer {
  const wanted = query["state"] ?? "open";
  const labels = query["labels"]?.split(",") ?? [];
  const found = newestFirst(repository).filter(
    (issue) =>
      (wanted === "all" || issue.state === wanted) &&
      labels.every((label) => issue.labels.some((item) => sameName(item, label))) &&
      (query["creator"] === undefined || issue.login === query["creator"]) &&
      (query["since"] === undefined || Date.parse(issue.updatedAt) >= Date.parse(query["since"])),
  );
  const inOrder = query["direction"] === "asc" ? found.toReversed() : found;
  return list(inOrder.map((issue) => showIssue(core, repository, issue)));
}

export function newestFirst(repository: Repository): readonly Issue[] {
  return [...repository.issues.values()].toReversed();
}

export const issueRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/issues": sharedRoute("read", listIssues),
  "POST /repos/{owner}/{repo}/issues": route("issues", "write", createIssue),
  "GET /repos/{owner}/{repo}/issues/{issue_number}": sharedRoute(
    "read",
    withIssue(({ core, repository }, issue) => ok(showIssue(core, repository, issue))),
  ),
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}": sharedRoute("write", withIssue(updateIssue)),
  "POST /repos/{owner}/{repo}/issues/{issue_number}/assignees": sharedRoute(
    "write",
    withIssue(({ core, repository, body, actor }, issue) => {
      for (const login of (body["assignees"] as readonly string[] | undefined) ?? []) {
        assignItem(core, repository, issue, actor, login);
      }
      return created(showIssue(core, repository, issue));
    }),
  ),
};
