import { addLabel, findOrMakeLabel, removeLabel } from "../acts/labels.ts";
import { type Answer, created, invalid, list, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, type RouteTable, sharedRoute } from "../api/route-table.ts";
import { showLabel, showLabels } from "../show/issue.ts";
import type { Issue } from "../state-issues.ts";
import { withIssue } from "./issues.ts";

/** Names in the forms that GitHub takes: an array, or an object with one, of names or of labels. */
function namesIn(body: unknown): readonly string[] {
  const given = (Array.isArray(body) ? body : (body as { labels?: unknown }).labels) as readonly unknown[] | undefined;
  return (given ?? []).map((item) => (typeof item === "string" ? item : (item as { name: string }).name));
}

function addLabels({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  for (const name of namesIn(body)) addLabel(core, repository, issue, actor, name);
  return ok(showLabels(core, repository, issue.labels));
}

function takeLabel({ core, repository, params, actor }: RepositoryCall, issue: Issue): Answer {
  return removeLabel(core, repository, issue, actor, params["name"] ?? "")
    ? ok(showLabels(core, repository, issue.labels))
    : refuse(404, "Label does not exist");
}

function createLabel({ core, repository, body }: RepositoryCall): Answer {
  const name = String(body["name"]);
  if (repository.labels.has(name.toLowerCase())) {
    return invalid("Label", "name already exists", { code: "already_exists", field: "name" });
  }
  const label = findOrMakeLabel(core, repository, name, body);
  return created(showLabel(core, repository, label));
}

export const labelRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/issues/{issue_number}/labels": sharedRoute(
    "read",
    withIssue(({ core, repository }, issue) => list(showLabels(core, repository, issue.labels))),
  ),
  "POST /repos/{owner}/{repo}/issues/{issue_number}/labels": sharedRoute("write", withIssue(addLabels)),
  "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}": sharedRoute("write", withIssue(takeLabel)),
  "GET /repos/{owner}/{repo}/labels": sharedRoute("read", ({ core, repository }) =>
    list([...repository.labels.values()].map((label) => showLabel(core, repository, label))),
  ),
  "POST /repos/{owner}/{repo}/labels": sharedRoute("write", createLabel),
};
