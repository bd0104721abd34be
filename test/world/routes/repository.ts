import { list, notFound, ok, refuse } from "../api/reply.ts";
import { route, type RouteTable } from "../api/route-table.ts";
import { branchHead } from "../git/bare.ts";
import { readCommit } from "../git/commits.ts";
import { showAccount } from "../show/account.ts";
import { showCommit } from "../show/commit.ts";
import { showFullRepository } from "../show/repository.ts";
import { apiUrl, webUrl } from "../show/values.ts";
import { type Role, roleOf } from "../state.ts";

const order: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** What GitHub says of a role: the older word knows no triage and no maintain. */
export function permissionsOf(role: Role) {
  const least = (needed: Role): boolean => order.indexOf(role) >= order.indexOf(needed);
  return {
    permission: role === "maintain" ? "write" : role === "triage" ? "read" : role,
    role_name: role,
    permissions: {
      admin: least("admin"),
      maintain: least("maintain"),
      push: least("write"),
      triage: least("triage"),
      pull: least("read"),
    },
  };
}

export const repositoryRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}": route("metadata", "read", ({ core, repository }) =>
    ok(showFullRepository(core, repository)),
  ),
  "GET /repos/{owner}/{repo}/collaborators/{username}/permission": route(
    "metadata",
    "read",
    ({ core, repository, params }) => {
      const account = core.state.accounts.get((params["username"] ?? "").toLowerCase());
      // GitHub knows everybody's permission, and nobody's who has no account.
      if (account === undefined) return notFound;
      const { permissions, ...words } = permissionsOf(roleOf(repository, account.login));
      return ok({
        ...words,
        user: { ...showAccount(core, account.login), permissions, role_name: words.role_name },
      });
    },
  ),
  "GET /repos/{owner}/{repo}/branches/{branch}": route("contents", "read", ({ core, repository, params }) => {
    const name = params["branch"] ?? "";
    const sha = branchHead(repository.git, name);
    if (sha === null) return refuse(404, "Branch not found");
    const url = apiUrl(core, repository, `/branches/${encodeURIComponent(name)}`);
    const isProtected = repository.protection.has(name);
    return ok({
      name,
      commit: showCommit(core, repository, readCommit(repository.git, sha)),
      _links: { self: url, html: webUrl(core, repository, `/tree/${name}`) },
      protected: isProtected,
      protection: {
        enabled: isProtected,
        required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
      },
      protection_url: `${url}/protection`,
    });
  }),
  // An App that may not administer is refused here: it asks for the rules instead.
  "GET /repos/{owner}/{repo}/branches/{branch}/protection": route("administration", "read", (call) => {
    const found = call.repository.protection.get(call.params["branch"] ?? "");
    return found === undefined ? refuse(404, "Branch not protected") : ok(found);
  }),
  "GET /repos/{owner}/{repo}/rules/branches/{branch}": route("metadata", "read", ({ repository, params }) =>
    list(repository.rules.get(params["branch"] ?? "") ?? []),
  ),
};
