import { coversRepository } from "../auth/tokens.ts";
import type { Permissions } from "../core.ts";
import { findRepository } from "../state.ts";
import { type Answer, notAccessible, notFound, refuse } from "./reply.ts";
import type { Call, Need, Served } from "./route-table.ts";

/** Lets a call through to its handler, or refuses it as GitHub does: 401, then 404, then 403. */
export function admit(served: Served, call: Call, method: string): Answer {
  const { core, caller, params } = call;
  if (served.needs === "anybody") return served.run(call);
  if (caller.kind === "nobody") return refuse(401, caller.why);
  if (served.needs === "app" || served.needs === "app-on-repository") {
    if (caller.kind !== "app") return refuse(401, "A JSON web token could not be decoded");
    if (served.needs === "app") return served.run(call);
    const repository = findRepository(core.state, params["owner"] ?? "", params["repo"] ?? "");
    return repository === null || !core.app.installed ? notFound : served.run({ ...call, repository });
  }
  if (caller.kind === "app") return refuse(401, "Bad credentials");
  if (served.needs === "installation") return served.run(call);
  const repository = findRepository(core.state, params["owner"] ?? "", params["repo"] ?? "");
  if (repository === null || !coversRepository(caller.token, repository.id)) return notFound;
  if (!served.needs.some((need) => suffices(caller.token.permissions, need))) return notAccessible;
  if (repository.archived && method !== "GET") return refuse(403, "Repository was archived so is read-only.");
  return served.run({ ...call, repository });
}

export function suffices(permissions: Permissions, [permission, level]: Need): boolean {
  const granted = permissions[permission];
  return granted === "write" || (granted !== undefined && level === "read");
}
