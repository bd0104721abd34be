import { notFound, ok, type RouteTable } from "./route.ts";
import type { Role } from "../state.ts";

const metadata = ["metadata", "read"] as const;
const contents = ["contents", "read"] as const;

const order: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** What GitHub says of a role: the legacy word knows no triage and no maintain. */
export function permissionsOf(role: Role) {
  const at = order.indexOf(role);
  const least = (needed: Role): boolean => at >= order.indexOf(needed);
  return {
    permission: role === "maintain" ? "write" : role === "triage" ? "read" : role,
    role_name: role,
    permissions: {
      pull: least("read"),
      triage: least("triage"),
      push: least("write"),
      maintain: least("maintain"),
      admin: least("admin"),
    },
  };
}

export const repositoryRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}": { needs: metadata, handler: ({ show, repository }) => ok(show.repository(repository)) },
  "GET /repos/{owner}/{repo}/collaborators/{username}/permission": {
    needs: metadata,
    handler: ({ state, show, repository, params }) => {
      const login = params["username"] ?? "";
      // GitHub answers 404 for an account that does not exist.
      if (!state.accounts.has(login.toLowerCase())) return notFound;
      const role = repository.roles.get(login.toLowerCase()) ?? (repository.isPrivate ? "none" : "read");
      const { permissions, ...words } = permissionsOf(role);
      return ok({ ...words, user: { ...(show.user(login) as object), permissions, role_name: role } });
    },
  },
  "GET /repos/{owner}/{repo}/branches/{branch}": {
    needs: contents,
    handler: ({ show, repository, params }) => {
      const name = params["branch"] ?? "";
      const sha = repository.git.try(["rev-parse", "--verify", "--quiet", `refs/heads/${name}`]);
      if (sha === null) return notFound;
      return ok({ name, commit: show.commit(repository, sha), protected: false, protection: { enabled: false } });
    },
  },
  "GET /repos/{owner}/{repo}/contents/{path}": {
    needs: contents,
    handler: ({ repository, params, query }) => {
      const path = params["path"] ?? "";
      const ref = query["ref"] ?? repository.defaultBranch;
      const entry = repository.git.try(["ls-tree", ref, "--", path]);
      const [, , sha = ""] = (entry ?? "").split(/[ \t]/);
      if (entry === null || entry === "") return notFound;
      const bytes = repository.git.bytes(["cat-file", "blob", sha]);
      return ok({
        type: "file",
        encoding: "base64",
        size: bytes.length,
        name: path.split("/").at(-1),
        path,
        content: bytes.toString("base64"),
        sha,
        url: "https://github.invalid/c",
        git_url: null,
        html_url: null,
        download_url: null,
        _links: { self: "https://github.invalid/c", git: null, html: null },
      });
    },
  },
};
