import { created, invalid, list, notFound, ok, refuse } from "../api/reply.ts";
import type { Call, RouteTable } from "../api/route-table.ts";
import type { Permissions } from "../core.ts";
import { coversRepository } from "../auth/tokens.ts";
import { suffices } from "../api/access.ts";
import { showApp, showInstallation, showToken } from "../show/app.ts";
import { showRepository } from "../show/repository.ts";
import { sameName } from "../state.ts";

function isInstallation({ core, params }: Call): boolean {
  return core.app.installed && Number(params["installation_id"]) === core.app.installationId;
}

/** Mints a token for the repositories and permissions that were asked for: only what the installation has. */
function createToken(call: Call) {
  const { core, tokens, body } = call;
  if (!isInstallation(call)) return notFound;
  const ids = body["repository_ids"] as readonly number[] | undefined;
  const names = body["repositories"] as readonly string[] | undefined;
  const all = core.state.repositories;
  const found = [
    ...(ids ?? []).map((id) => all.find((item) => item.id === id)),
    ...(names ?? []).map((name) => all.find((item) => sameName(item.name, name))),
  ];
  if (found.includes(undefined)) {
    return refuse(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  const asked = (body["permissions"] ?? core.app.permissions) as Permissions;
  const beyond = Object.entries(asked).some((need) => !suffices(core.app.permissions, need));
  if (beyond) return refuse(422, "The permissions requested are not granted to this installation.");
  const selected = ids !== undefined || names !== undefined;
  const repositories = found.flatMap((item) => item ?? []);
  // Metadata can be read with any permission.
  const token = tokens.mint(selected ? new Set(repositories.map((item) => item.id)) : null, {
    metadata: "read",
    ...asked,
  });
  return created({
    ...showToken({ ...token, selected }),
    ...(selected ? { repositories: repositories.map((item) => showRepository(core, item)) } : {}),
  });
}

export const appRoutes: RouteTable = {
  "GET /app": { needs: "app", run: ({ core }) => ok(showApp(core)) },
  "GET /app/installations": {
    needs: "app",
    run: ({ core }) => list(core.app.installed ? [showInstallation(core)] : []),
  },
  "GET /app/installations/{installation_id}": {
    needs: "app",
    run: (call) => (isInstallation(call) ? ok(showInstallation(call.core)) : notFound),
  },
  "POST /app/installations/{installation_id}/access_tokens": { needs: "app", run: createToken },
  "GET /repos/{owner}/{repo}/installation": {
    needs: "app-on-repository",
    run: ({ core, repository }) => ok(showInstallation(core, repository.owner)),
  },
  "GET /installation/repositories": {
    needs: "installation",
    run: ({ core, caller }) => {
      const seen = core.state.repositories.filter(
        (item) => caller.kind === "installation" && coversRepository(caller.token, item.id),
      );
      return list(
        seen.map((item) => showRepository(core, item)),
        (page, total) => ({ total_count: total, repository_selection: "all", repositories: page }),
      );
    },
  },
  "GET /app/hook/config": { needs: "app", run: ({ core }) => ok(hookConfig(core)) },
  "PATCH /app/hook/config": {
    needs: "app",
    run: ({ core, body }) => {
      if (body["secret"] !== undefined) return invalid("Hook", "the world keeps its secret");
      if (body["url"] !== undefined) core.hooks.setTarget(body["url"] as string);
      return ok(hookConfig(core));
    },
  },
};

function hookConfig(core: Call["core"]) {
  return { content_type: "json", insecure_ssl: "0", secret: "********", url: core.hooks.target() ?? "" };
}
