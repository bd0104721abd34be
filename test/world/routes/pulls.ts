import { editItem, setItemState } from "../acts/issues.ts";
import { mergePull, openPull, requestReview, retarget } from "../acts/pulls.ts";
import { type Answer, created, invalid, list, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { readCommits } from "../git/commits.ts";
import { diffText } from "../git/diff.ts";
import { showCommit, showFile } from "../show/commit.ts";
import { pullBase, pullCommits, pullFiles, pullOf, showFullPull, showPull } from "../show/pull.ts";
import { sameName } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import { newestFirst, tooLong } from "./issues.ts";

/** What GitHub's own diff holds at most; beyond it refuses. */
const diffFilesMax = 300;
const diffLinesMax = 20_000;

/** Files and commits that the lists hold at most. */
const filesMax = 3000;
const commitsMax = 250;

/** Runs with the pull request of the path's number, or answers that there is none. */
export function withPull(run: (call: RepositoryCall, issue: Issue) => Answer): (call: RepositoryCall) => Answer {
  return (call) => {
    const issue = call.repository.issues.get(Number(call.params["pull_number"]));
    return issue?.pull == null ? notFound : run(call, issue);
  };
}

function createPull({ core, repository, body, actor }: RepositoryCall): Answer {
  const problem = tooLong("PullRequest", body["body"], body["title"]);
  if (problem !== null) return problem;
  const opened = openPull(core, repository, {
    login: actor,
    head: String(body["head"]),
    base: String(body["base"]),
    title: String(body["title"]),
    body: (body["body"] as string | undefined) ?? null,
    draft: body["draft"] === true,
  });
  return "refusal" in opened ? invalid("PullRequest", opened.refusal) : created(showFullPull(core, repository, opened));
}

function getPull({ core, repository, accept }: RepositoryCall, issue: Issue): Answer {
  if (!accept.includes("diff")) return ok(showFullPull(core, repository, issue));
  const pull = pullOf(issue);
  const tooLarge = (what: string): Answer => ({
    kind: "json",
    status: 406,
    body: {
      message: `Sorry, the diff exceeded the maximum number of ${what}. Consider using 'List pull requests files' API or locally cloning the repository instead.`,
      errors: [{ resource: "PullRequest", field: "diff", code: "too_large" }],
      documentation_url: "https://docs.github.com/rest/pulls/pulls#list-pull-requests-files",
      status: "406",
    },
  });
  if (pullFiles(repository, pull).length > diffFilesMax) return tooLarge(`files (${diffFilesMax})`);
  const text = diffText(repository.git, pullBase(repository, pull), pull.headSha);
  if (text.split("\n").length > diffLinesMax) return tooLarge(`lines (${diffLinesMax})`);
  return { kind: "text", type: "application/vnd.github.diff; charset=utf-8", text };
}

function listPulls({ core, repository, query }: RepositoryCall): Answer {
  const wanted = query["state"] ?? "open";
  const found = newestFirst(repository).filter(
    ({ state, pull }) =>
      pull !== null &&
      (wanted === "all" || state === wanted) &&
      (query["head"] === undefined || sameName(`${pull.headOwner}:${pull.headRef}`, query["head"])) &&
      (query["base"] === undefined || pull.baseRef === query["base"]),
  );
  return list(found.map((issue) => showPull(core, repository, issue)));
}

function updatePull({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  const problem = tooLong("PullRequest", body["body"], body["title"]);
  if (problem !== null) return problem;
  const base = body["base"] as string | undefined;
  if (base !== undefined && !retarget(core, repository, issue, actor, base)) {
    return invalid("PullRequest", "base invalid", { code: "invalid", field: "base" });
  }
  editItem(core, repository, issue, actor, body);
  const state = body["state"] as Issue["state"] | undefined;
  if (state !== undefined) setItemState(core, repository, issue, actor, state);
  return ok(showFullPull(core, repository, issue));
}

function merge({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  const sha = body["sha"] as string | undefined;
  if (sha !== undefined && sha !== pullOf(issue).headSha) {
    return refuse(409, "Head branch was modified. Review and try the merge again.");
  }
  const merged = mergePull(core, repository, issue, actor);
  return merged === null
    ? refuse(405, "Pull Request is not mergeable")
    : ok({ sha: merged, merged: true, message: "Pull Request successfully merged" });
}

function askForReview({ core, repository, body, actor }: RepositoryCall, issue: Issue): Answer {
  const logins = (body["reviewers"] as readonly string[] | undefined) ?? [];
  const teams = (body["team_reviewers"] as readonly string[] | undefined) ?? [];
  const strangers = logins.filter((login) => !repository.roles.has(login.toLowerCase()));
  if (strangers.length > 0 || teams.length > 0) {
    return refuse(
      422,
      "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of this repository.",
    );
  }
  for (const login of logins) requestReview(core, repository, issue, actor, login);
  return created(showPull(core, repository, issue));
}

export const pullRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/pulls": route("pull_requests", "read", listPulls),
  "POST /repos/{owner}/{repo}/pulls": route("pull_requests", "write", createPull),
  "GET /repos/{owner}/{repo}/pulls/{pull_number}": route("pull_requests", "read", withPull(getPull)),
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}": route("pull_requests", "write", withPull(updatePull)),
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge": route("contents", "write", withPull(merge)),
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/files": route(
    "pull_requests",
    "read",
    withPull(({ core, repository }, issue) => {
      const pull = pullOf(issue);
      const files = pullFiles(repository, pull).slice(0, filesMax);
      return list(files.map((file) => showFile(core, repository, pull.headSha, file)));
    }),
  ),
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits": route(
    "pull_requests",
    "read",
    withPull(({ core, repository }, issue) => {
      const ids = pullCommits(repository, pullOf(issue)).slice(0, commitsMax);
      return list(readCommits(repository.git, ids).map((commit) => showCommit(core, repository, commit)));
    }),
  ),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": route(
    "pull_requests",
    "write",
    withPull(askForReview),
  ),
};
