import { type Answer, invalid, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { tellMovedBranches } from "../acts/branches.ts";
import { branchHead, resolveCommit } from "../git/bare.ts";
import { readCommit, writeCommit } from "../git/commits.ts";
import { type ListedEntry, listTree, writeBlob, writeTree } from "../git/trees.ts";
import { emailOf, showGitCommit } from "../show/commit.ts";
import { apiUrl, type Json, webUrl } from "../show/values.ts";

/** Larger files come without their content from this route, in bytes. */
const contentBytesMax = 1024 * 1024;

function showEntry({ core, repository }: RepositoryCall, ref: string, path: string, entry: ListedEntry): Json {
  const place = path.split("/").map(encodeURIComponent).join("/");
  const url = apiUrl(core, repository, `/contents/${place}?ref=${encodeURIComponent(ref)}`);
  const gitUrl = apiUrl(core, repository, `/git/${entry.type}s/${entry.sha}`);
  const html = webUrl(core, repository, `/${entry.type}/${encodeURIComponent(ref)}/${place}`);
  const type = entry.type === "tree" ? "dir" : entry.type === "commit" ? "submodule" : "file";
  return {
    type: entry.mode === "120000" ? "symlink" : type,
    name: path.split("/").at(-1),
    path,
    sha: entry.sha,
    size: entry.bytes ?? 0,
    url,
    html_url: html,
    git_url: gitUrl,
    download_url: type === "file" ? webUrl(core, repository, `/raw/${encodeURIComponent(ref)}/${place}`) : null,
    _links: { self: url, git: gitUrl, html },
  };
}

function getContent(call: RepositoryCall): Answer {
  const { repository, params, query } = call;
  const { git } = repository;
  const ref = query["ref"] ?? repository.defaultBranch;
  const path = (params["path"] ?? "").replace(/\/+$/, "");
  const commit = resolveCommit(git, ref);
  if (commit === null) return refuse(404, `No commit found for the ref ${ref}`);
  const entry = listTree(git, commit, { path }).find((item) => item.path === path);
  if (entry === undefined) return notFound;
  const shown = showEntry(call, ref, path, entry);
  if (entry.type === "tree") {
    return ok(listTree(git, entry.sha).map((item) => showEntry(call, ref, `${path}/${item.path}`, item)));
  }
  if (entry.type === "commit") return ok({ ...shown, submodule_git_url: "https://example.invalid/submodule.git" });
  const bytes = git.bytes(["cat-file", "blob", entry.sha]);
  if (entry.mode === "120000") return ok({ ...shown, target: bytes.toString("utf8") });
  if (bytes.length > contentBytesMax) return ok({ ...shown, content: "", encoding: "none" });
  // GitHub breaks the lines of its base64.
  const content = bytes.toString("base64").replaceAll(/.{60}/g, "$&\n");
  return ok({ ...shown, content: content === "" ? "" : `${content}\n`, encoding: "base64" });
}

function putContent(call: RepositoryCall): Answer {
  const { core, repository, params, body, actor } = call;
  const { git } = repository;
  const path = params["path"] ?? "";
  const branch = (body["branch"] as string | undefined) ?? repository.defaultBranch;
  const parent = branchHead(git, branch);
  if (parent === null) return refuse(404, `Branch ${branch} not found`);
  const known = listTree(git, parent, { path }).find((item) => item.path === path);
  const given = body["sha"] as string | undefined;
  if (known !== undefined && given === undefined) return invalid("Content", '"sha" wasn\'t supplied.');
  if (known !== undefined && given !== known.sha) return refuse(409, `${path} does not match ${given}`);
  const blob = writeBlob(git, Buffer.from(String(body["content"]), "base64"));
  const tree = writeTree(git, parent, [{ path, mode: known?.mode ?? "100644", sha: blob }]);
  if (tree === null) return invalid("Content", "path contains a malformed path component");
  const identity = { name: actor, email: emailOf(core, actor), date: core.state.now() };
  const sha = writeCommit(git, {
    tree,
    parents: [parent],
    message: String(body["message"]),
    author: identity,
    committer: identity,
  });
  git.run(["update-ref", `refs/heads/${branch}`, sha]);
  tellMovedBranches(core, repository, actor);
  const entry = listTree(git, sha, { path }).find((item) => item.path === path);
  const answer = {
    content: entry === undefined ? null : showEntry(call, branch, path, entry),
    commit: showGitCommit(core, repository, readCommit(git, sha)),
  };
  return { kind: "json", status: known === undefined ? 201 : 200, body: answer };
}

export const contentRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/contents/{path}": route("contents", "read", getContent),
  "PUT /repos/{owner}/{repo}/contents/{path}": route("contents", "write", putContent),
};
