import { type Answer, created, list, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { resolveCommit } from "../git/bare.ts";
import { showStatus } from "../show/check.ts";
import { showRepository } from "../show/repository.ts";
import { apiUrl } from "../show/values.ts";

function createStatus({ core, repository, params, body }: RepositoryCall): Answer {
  const sha = params["sha"] ?? "";
  if (resolveCommit(repository.git, sha) === null) return refuse(422, `No commit found for SHA: ${sha}`);
  const status = {
    id: core.state.nextId(),
    sha,
    state: String(body["state"]),
    context: (body["context"] as string | undefined) ?? "default",
    description: (body["description"] as string | undefined) ?? null,
    targetUrl: (body["target_url"] as string | undefined) ?? null,
    createdAt: core.state.now(),
  };
  repository.statuses.push(status);
  return created(showStatus(core, repository, status));
}

/** The latest status of each context, and what they come to together. */
function combined({ core, repository, params }: RepositoryCall): Answer {
  const sha = resolveCommit(repository.git, params["ref"] ?? "");
  if (sha === null) return notFound;
  const newest = repository.statuses.filter((item) => item.sha === sha).toReversed();
  const latest = newest.filter((item, index) => newest.findIndex((other) => other.context === item.context) === index);
  const has = (state: string): boolean => latest.some((item) => item.state === state);
  const failed = has("failure") || has("error");
  return ok({
    state: failed ? "failure" : latest.length === 0 || has("pending") ? "pending" : "success",
    sha,
    total_count: latest.length,
    statuses: latest.map((item) => showStatus(core, repository, item)),
    repository: showRepository(core, repository),
    commit_url: apiUrl(core, repository, `/commits/${sha}`),
    url: apiUrl(core, repository, `/commits/${sha}/status`),
  });
}

const noRuns = (name: string) => () => list([], (page, total) => ({ total_count: total, [name]: page }));

export const statusRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/statuses/{sha}": route("statuses", "write", createStatus),
  "GET /repos/{owner}/{repo}/commits/{ref}/status": route("statuses", "read", combined),
  // Workflows do not run here: repositories have none.
  "GET /repos/{owner}/{repo}/actions/runs": route("actions", "read", noRuns("workflow_runs")),
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs": route("actions", "read", () => notFound),
  "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs": route("actions", "read", () => notFound),
};
