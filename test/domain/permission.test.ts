import { expect, test } from "vitest";
import { permits, readPermission } from "../../src/domain/permission.ts";
import { permissions } from "../../src/domain/trigger.ts";

test("each permission permits what needs it or less", () => {
  permissions.forEach((has, rank) => {
    permissions.forEach((needs, needed) => {
      expect(permits(has, needs), `${has} for ${needs}`).toBe(rank >= needed);
    });
  });
});

const none = { pull: false, triage: false, push: false, maintain: false, admin: false };

test.each([
  ["admin", { ...none, pull: true, triage: true, push: true, maintain: true, admin: true }],
  ["maintain", { ...none, pull: true, triage: true, push: true, maintain: true }],
  ["write", { ...none, pull: true, triage: true, push: true }],
  ["triage", { ...none, pull: true, triage: true }],
  ["read", { ...none, pull: true }],
  ["none", none],
  ["none", {}],
  // The strongest counts, whatever stands beside it.
  ["admin", { admin: true }],
] as const)("%s by its flags, whatever the role is called", (expected, flags) => {
  for (const role of ["admin", "write", "none", "release-crew", "", undefined]) {
    expect(readPermission(role, flags)).toBe(expected);
  }
});

test("without flags, only GitHub's own names of roles count", () => {
  for (const permission of permissions) expect(readPermission(permission, null)).toBe(permission);
  for (const role of [undefined, "", "Admin", "push", "release-crew", "admin "]) {
    expect(readPermission(role, null)).toBe("none");
  }
});
