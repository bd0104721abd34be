import { tellMovedBranches } from "../acts/branches.ts";
import { type Answer, created, noContent, notFound, ok, refuse } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable } from "../api/route-table.ts";
import { isAncestor, resolveCommit } from "../git/bare.ts";
import { apiUrl, type Json, nodeId } from "../show/values.ts";

function showRef({ core, repository }: RepositoryCall, ref: string, sha: string): Json {
  return {
    ref,
    node_id: nodeId("Ref", `${repository.id}:${ref}`),
    url: apiUrl(core, repository, `/git/${ref}`),
    object: { type: "commit", sha, url: apiUrl(core, repository, `/git/commits/${sha}`) },
  };
}

function refOf({ params }: RepositoryCall): string {
  return `refs/${params["ref"]}`;
}

/** Why a rule of a ruleset forbids a branch's new head; null where none does. */
function forbiddenByRule(call: RepositoryCall, ref: string, sha: string): Answer | null {
  const { repository } = call;
  const rules = repository.rules.get(ref.replace("refs/heads/", "")) ?? [];
  const needsSignature = rules.some((rule) => rule["type"] === "required_signatures");
  if (needsSignature && !repository.signed.has(sha)) {
    return refuse(422, "Repository rule violations found\n\nCommits must have verified signatures.");
  }
  const closed = rules.find((rule) => ["creation", "update", "pull_request"].includes(String(rule["type"])));
  return closed === undefined
    ? null
    : refuse(422, `Repository rule violations found\n\nCannot ${String(closed["type"])} this protected ref.`);
}

function createRef(call: RepositoryCall): Answer {
  const { core, repository, body, actor } = call;
  const { git } = repository;
  const ref = String(body["ref"]);
  const sha = String(body["sha"]);
  if (!/^refs\/[^/]+\/./.test(ref) || git.try(["check-ref-format", ref]) === null) {
    return refuse(422, "Reference name must start with 'refs/' and contain at least two slashes.");
  }
  if (git.try(["rev-parse", "--verify", "--quiet", ref]) !== null) return refuse(422, "Reference already exists");
  if (resolveCommit(git, sha) !== sha) return refuse(422, "Object does not exist");
  const forbidden = forbiddenByRule(call, ref, sha);
  if (forbidden !== null) return forbidden;
  // A branch `a` is in the way of `a/b`.
  if (git.try(["update-ref", ref, sha]) === null) return refuse(422, "Reference update failed");
  tellMovedBranches(core, repository, actor);
  return created(showRef(call, ref, sha));
}

function updateRef(call: RepositoryCall): Answer {
  const { core, repository, body, actor } = call;
  const { git } = repository;
  const ref = refOf(call);
  const sha = String(body["sha"]);
  const before = resolveCommit(git, ref);
  if (before === null) return refuse(422, "Reference does not exist");
  if (resolveCommit(git, sha) !== sha) return refuse(422, "Object does not exist");
  if (body["force"] !== true && !isAncestor(git, before, sha)) return refuse(422, "Update is not a fast forward");
  const forbidden = forbiddenByRule(call, ref, sha);
  if (forbidden !== null) return forbidden;
  git.run(["update-ref", ref, sha]);
  tellMovedBranches(core, repository, actor);
  return ok(showRef(call, ref, sha));
}

function deleteRef(call: RepositoryCall): Answer {
  const { core, repository, actor } = call;
  const ref = refOf(call);
  if (resolveCommit(repository.git, ref) === null) return refuse(422, "Reference does not exist");
  repository.git.run(["update-ref", "-d", ref]);
  tellMovedBranches(core, repository, actor);
  return noContent;
}

export const refRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/git/ref/{ref}": route("contents", "read", (call) => {
    const sha = resolveCommit(call.repository.git, refOf(call));
    return sha === null ? notFound : ok(showRef(call, refOf(call), sha));
  }),
  "POST /repos/{owner}/{repo}/git/refs": route("contents", "write", createRef),
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": route("contents", "write", updateRef),
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": route("contents", "write", deleteRef),
};
