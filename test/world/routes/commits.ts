import { type Answer, list, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { resolveCommit } from "../git/bare.ts";
import { listCommits, readCommit, readCommits } from "../git/commits.ts";
import { changedFiles, diffText, mergeBase } from "../git/diff.ts";
import { showCommit, showFile, showFullCommit } from "../show/commit.ts";
import { showPull } from "../show/pull.ts";
import { apiUrl, webUrl } from "../show/values.ts";

/** Commits that a list goes back at most. */
const historyMax = 10_000;

function compare({ core, repository, params, accept }: RepositoryCall): Answer {
  const { git } = repository;
  const [left = "", right = ""] = (params["basehead"] ?? "").split("...");
  const strip = (name: string): string => name.split(":").at(-1) ?? "";
  const base = resolveCommit(git, strip(left));
  const head = resolveCommit(git, strip(right));
  const common = base === null || head === null ? null : mergeBase(git, base, head);
  if (base === null || head === null || common === null) return notFound;
  if (accept.includes("diff")) return { kind: "text", type: "text/plain", text: diffText(git, common, head) };
  const ahead = listCommits(git, base, head);
  const behind = listCommits(git, head, base);
  const url = apiUrl(core, repository, `/compare/${params["basehead"]}`);
  const html = webUrl(core, repository, `/compare/${params["basehead"]}`);
  return ok({
    url,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: showCommit(core, repository, readCommit(git, base)),
    merge_base_commit: showCommit(core, repository, readCommit(git, common)),
    status: ahead.length > 0 ? (behind.length > 0 ? "diverged" : "ahead") : behind.length > 0 ? "behind" : "identical",
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: readCommits(git, ahead).map((commit) => showCommit(core, repository, commit)),
    files: changedFiles(git, common, head).map((file) => showFile(core, repository, head, file)),
  });
}

function listHistory({ core, repository, query }: RepositoryCall): Answer {
  const { git } = repository;
  const from = resolveCommit(git, query["sha"] ?? repository.defaultBranch);
  if (from === null) return refuse(409, "Git Repository is empty.");
  const path = query["path"] === undefined ? [] : ["--", query["path"]];
  const ids = git.run(["rev-list", `--max-count=${historyMax}`, from, ...path]).split("\n");
  return list(
    readCommits(
      git,
      ids.filter((id) => id !== ""),
    ).map((commit) => showCommit(core, repository, commit)),
  );
}

function getCommit({ core, repository, params, accept }: RepositoryCall): Answer {
  const { git } = repository;
  const sha = resolveCommit(git, params["ref"] ?? "");
  if (sha === null) return refuse(422, `No commit found for SHA: ${params["ref"]}`);
  if (accept.includes("sha")) return { kind: "text", type: "application/vnd.github.sha", text: sha };
  if (accept.includes("diff")) return { kind: "text", type: "text/plain", text: git.run(["show", "--format=", sha]) };
  return ok(showFullCommit(core, repository, sha));
}

export const commitRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/compare/{basehead}": route("contents", "read", compare),
  "GET /repos/{owner}/{repo}/commits": route("contents", "read", listHistory),
  "GET /repos/{owner}/{repo}/commits/{ref}": route("contents", "read", getCommit),
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls": route(
    "pull_requests",
    "read",
    ({ core, repository, params }) => {
      const sha = params["commit_sha"] ?? "";
      const found = [...repository.issues.values()].filter(
        ({ pull }) =>
          pull !== null &&
          (pull.headSha === sha || listCommits(repository.git, pull.baseSha, pull.headSha).includes(sha)),
      );
      return list(found.map((issue) => showPull(core, repository, issue)));
    },
  ),
};
