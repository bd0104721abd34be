import { permissions, type Permission } from "./trigger.ts";

/** Whether somebody who has one permission may do what needs another. */
export function permits(has: Permission, needs: Permission): boolean {
  return permissions.indexOf(has) >= permissions.indexOf(needs);
}

/** GitHub's flags for one person in one repository, as `user.permissions` holds them. */
export interface PermissionFlags {
  readonly pull?: boolean;
  readonly triage?: boolean;
  readonly push?: boolean;
  readonly maintain?: boolean;
  readonly admin?: boolean;
}

/**
 * The strongest permission that the flags grant. The answer's old `permission` word knows neither triage nor maintain
 * and calls the one read and the other write; a role's name may be one that an organisation made up. So a name is only
 * used where there are no flags, and only if it is one of GitHub's own: anything else is no permission.
 */
export function readPermission(roleName: string | undefined, flags: PermissionFlags | null): Permission {
  if (flags === null) return permissions.find((permission) => permission === roleName) ?? "none";
  if (flags.admin === true) return "admin";
  if (flags.maintain === true) return "maintain";
  if (flags.push === true) return "write";
  if (flags.triage === true) return "triage";
  return flags.pull === true ? "read" : "none";
}
