import { readPermission } from "../domain/permission.ts";
import type { Permission, Person } from "../domain/trigger.ts";
import type { GitHub } from "./github.ts";
import { statusOf } from "./retry.ts";

/** Asks GitHub what a person may do here. The payload is never believed; a stranger has none. */
export async function askPermission(
  github: GitHub,
  login: string,
): Promise<{ readonly permission: Permission; readonly type: Person["type"] }> {
  const { owner, name: repo } = github.repository;
  try {
    const { data } = await github.octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login });
    const type = data.user?.type;
    return {
      permission: readPermission(data.role_name, data.user?.permissions ?? null),
      type: type === "User" || type === "Bot" || type === "Organization" || type === "Mannequin" ? type : "unknown",
    };
  } catch (error) {
    if (statusOf(error) === 404) return { permission: "none", type: "unknown" };
    throw error;
  }
}
