import { makeRun, updateRun } from "../acts/checks.ts";
import { type Answer, created, list, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { resolveCommit } from "../git/bare.ts";
import { readCommit } from "../git/commits.ts";
import { showAnnotation, showCheckRun, showShortSuite } from "../show/check.ts";
import { showRepository } from "../show/repository.ts";
import type { CheckRun } from "../state-checks.ts";

function createRun({ core, repository, body }: RepositoryCall): Answer {
  const sha = String(body["head_sha"]);
  if (resolveCommit(repository.git, sha) !== sha) return refuse(422, `No commit found for SHA: ${sha}`);
  return created(showCheckRun(core, repository, makeRun(core, repository, sha, body)));
}

function withRun(run: (call: RepositoryCall, found: CheckRun) => Answer): (call: RepositoryCall) => Answer {
  return (call) => {
    const found = call.repository.checkRuns.find((item) => item.id === Number(call.params["check_run_id"]));
    return found === undefined ? notFound : run(call, found);
  };
}

/** The latest run of each name, or all of them, newest first. */
function listRuns({ core, repository, params, query }: RepositoryCall): Answer {
  const sha = resolveCommit(repository.git, params["ref"] ?? "");
  if (sha === null) return refuse(422, `No commit found for SHA: ${params["ref"]}`);
  const newest = repository.checkRuns.filter((run) => run.headSha === sha).toReversed();
  const latest = newest.filter((run, index) => newest.findIndex((item) => item.name === run.name) === index);
  const found = (query["filter"] === "all" ? newest : latest).filter(
    (run) =>
      (query["check_name"] === undefined || run.name === query["check_name"]) &&
      (query["status"] === undefined || run.status === query["status"]) &&
      (query["app_id"] === undefined || Number(query["app_id"]) === core.app.id),
  );
  return list(
    found.map((run) => showCheckRun(core, repository, run)),
    (page, total) => ({ total_count: total, check_runs: page }),
  );
}

function listSuites({ core, repository, params }: RepositoryCall): Answer {
  const sha = resolveCommit(repository.git, params["ref"] ?? "");
  const runs = repository.checkRuns.filter((run) => run.headSha === sha);
  const [latest] = runs.toReversed();
  if (latest === undefined) return list([], (page, total) => ({ total_count: total, check_suites: page }));
  const commit = readCommit(repository.git, latest.headSha);
  const person = ({ name, email }: { name: string; email: string }) => ({ name, email });
  const suite = {
    ...showShortSuite(core, repository, latest),
    repository: showRepository(core, repository),
    latest_check_runs_count: runs.length,
    check_runs_url: `${core.url}/api/v3/check-suites/${latest.suiteId}/check-runs`,
    head_commit: {
      id: commit.sha,
      tree_id: commit.tree,
      message: commit.message,
      timestamp: commit.committer.date,
      author: person(commit.author),
      committer: person(commit.committer),
    },
  };
  return list([suite], (page, total) => ({ total_count: total, check_suites: page }));
}

export const checkRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/check-runs": route("checks", "write", createRun),
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": route(
    "checks",
    "write",
    withRun(({ core, repository, body }, run) => {
      updateRun(core, repository, run, body);
      return ok(showCheckRun(core, repository, run));
    }),
  ),
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}": route(
    "checks",
    "read",
    withRun(({ core, repository }, run) => ok(showCheckRun(core, repository, run))),
  ),
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations": route(
    "checks",
    "read",
    withRun(({ core, repository }, run) =>
      list(run.annotations.map((item) => showAnnotation(core, repository, run, item))),
    ),
  ),
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": route("checks", "read", listRuns),
  "GET /repos/{owner}/{repo}/commits/{ref}/check-suites": route("checks", "read", listSuites),
};
