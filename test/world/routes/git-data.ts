import { type Answer, created, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { type Identity, resolveCommit } from "../git/bare.ts";
import { readCommit, writeCommit } from "../git/commits.ts";
import { listTree, writeBlob, writeTree } from "../git/trees.ts";
import { emailOf, showGitCommit } from "../show/commit.ts";
import { apiUrl, type Json } from "../show/values.ts";

interface GivenEntry {
  readonly path: string;
  readonly mode: string;
  readonly sha?: string | null;
  readonly content?: string;
}

const badObject = refuse(422, "GitRPC::BadObjectState");

function createBlob({ core, repository, body }: RepositoryCall): Answer {
  const bytes = Buffer.from(String(body["content"]), body["encoding"] === "base64" ? "base64" : "utf8");
  const sha = writeBlob(repository.git, bytes);
  return created({ sha, url: apiUrl(core, repository, `/git/blobs/${sha}`) });
}

function createTree({ core, repository, body }: RepositoryCall): Answer {
  const { git } = repository;
  const base = (body["base_tree"] as string | undefined) ?? null;
  if (base !== null && git.try(["rev-parse", "--verify", "--quiet", `${base}^{tree}`]) === null) {
    return refuse(404, "base_tree is not a valid tree oid");
  }
  const given = body["tree"] as readonly GivenEntry[];
  if (given.some((entry) => (entry.sha === undefined) === (entry.content === undefined))) {
    return refuse(422, "Must supply either tree.sha or tree.content");
  }
  const deleted = given.filter((entry) => entry.sha === null);
  const isMissing = ({ path }: GivenEntry): boolean => base === null || listTree(git, base, { path }).length === 0;
  if (deleted.some(isMissing)) return badObject;
  const unknown = given.find(
    ({ sha, mode }) => typeof sha === "string" && mode !== "160000" && git.try(["cat-file", "-e", sha]) === null,
  );
  if (unknown !== undefined) return refuse(422, `tree.sha ${unknown.sha} is not a valid blob`);
  const tree = writeTree(
    git,
    base,
    given.map(({ path, mode, sha, content }) => ({
      path,
      mode,
      sha: content === undefined ? (sha ?? null) : writeBlob(git, content),
    })),
  );
  return tree === null
    ? refuse(422, "tree.path contains a malformed path component")
    : created(showTree(core, repository, tree, false));
}

function showTree(
  core: RepositoryCall["core"],
  repository: RepositoryCall["repository"],
  sha: string,
  recursive: boolean,
): Json {
  return {
    sha,
    url: apiUrl(core, repository, `/git/trees/${sha}`),
    truncated: false,
    tree: listTree(repository.git, sha, { recursive }).map((entry) => ({
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.sha,
      ...(entry.bytes === null ? {} : { size: entry.bytes }),
      ...(entry.type === "commit" ? {} : { url: apiUrl(core, repository, `/git/${entry.type}s/${entry.sha}`) }),
    })),
  };
}

/** A commit of the App without author and committer is its bot's, made by GitHub, and signed by GitHub. */
function createCommit({ core, repository, body, actor }: RepositoryCall): Answer {
  const { git } = repository;
  const tree = String(body["tree"]);
  const parents = (body["parents"] as readonly string[] | undefined) ?? [];
  if (git.try(["rev-parse", "--verify", "--quiet", `${tree}^{tree}`]) === null) {
    return refuse(422, "Tree SHA does not exist");
  }
  if (parents.some((parent) => resolveCommit(git, parent) === null)) {
    return refuse(422, "Parent SHA does not exist or is not a commit object");
  }
  const date = core.state.now();
  const bot: Identity = { name: actor, email: emailOf(core, actor), date };
  const author = body["author"] as Identity | undefined;
  const committer = body["committer"] as Identity | undefined;
  const byGitHub = author === undefined && committer === undefined && repository.signsCommits;
  const sha = writeCommit(git, {
    tree,
    parents,
    message: String(body["message"]),
    author: { date, ...(author ?? bot) },
    committer: byGitHub
      ? { name: "GitHub", email: "noreply@github.com", date }
      : { date, ...(committer ?? author ?? bot) },
  });
  if (byGitHub) repository.signed.add(sha);
  return created(showGitCommit(core, repository, readCommit(git, sha)));
}

export const gitDataRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/git/blobs": route("contents", "write", createBlob),
  "POST /repos/{owner}/{repo}/git/trees": route("contents", "write", createTree),
  "POST /repos/{owner}/{repo}/git/commits": route("contents", "write", createCommit),
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": route("contents", "read", ({ core, repository, params, query }) => {
    const sha = repository.git.try(["rev-parse", "--verify", "--quiet", `${params["tree_sha"]}^{tree}`]);
    return sha === null ? notFound : ok(showTree(core, repository, sha, query["recursive"] !== undefined));
  }),
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": route("contents", "read", ({ core, repository, params }) => {
    const sha = params["commit_sha"] ?? "";
    const found = /^[0-9a-f]{40}$/.test(sha) && resolveCommit(repository.git, sha) === sha;
    return found ? ok(showGitCommit(core, repository, readCommit(repository.git, sha))) : notFound;
  }),
};
