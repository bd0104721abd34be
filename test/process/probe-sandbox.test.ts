import { expect, it } from "vitest";
import { explainSandbox, type SandboxFacts } from "../../src/process/explain-sandbox.ts";
import { probeSandbox } from "../../src/process/probe-sandbox.ts";

const healthy: SandboxFacts = {
  platform: "linux",
  missing: null,
  said: "",
  appArmorRestricts: null,
  unprivilegedNamespaces: null,
  namespacesMax: "96364",
  inContainer: false,
};
const refused = "bwrap: No permissions to create new namespace, likely because the kernel does not allow it.";

it.each<[string, Partial<SandboxFacts>, string, string]>([
  ["another system", { platform: "darwin" }, "sandbox-platform", "Linux"],
  ["not installed", { missing: "bwrap" }, "sandbox-missing", "apt-get install bubblewrap"],
  ["no bash", { missing: "bash" }, "sandbox-missing", "apt-get install bash"],
  ["no namespaces at all", { said: refused, namespacesMax: "0" }, "sandbox-namespaces-off", "max_user_namespaces"],
  [
    "only for root",
    { said: refused, unprivilegedNamespaces: "0" },
    "sandbox-namespaces-off",
    "unprivileged_userns_clone=1",
  ],
  [
    "AppArmor",
    { said: "bwrap: setting up uid map: Permission denied", appArmorRestricts: "1" },
    "sandbox-apparmor",
    "apparmor_restrict_unprivileged_userns=0",
  ],
  ["a container's seccomp", { said: refused, inContainer: true }, "sandbox-seccomp", "seccomp=unconfined"],
  [
    "a masked /proc",
    { said: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", inContainer: true },
    "sandbox-proc-masked",
    "systempaths=unconfined",
  ],
  ["something else", { said: "bwrap: Unknown option --disable-userns" }, "sandbox-failed", "bwrap --unshare-all"],
])("tells the cure: %s", (_, facts, code, cure) => {
  const problem = explainSandbox({ ...healthy, ...facts });
  expect(problem.code).toBe(code);
  expect(problem.cure).toContain(cure);
});

it("repeats what bubblewrap said where it knows no better", () => {
  expect(explainSandbox({ ...healthy, said: "bwrap: Unknown option --disable-userns" }).message).toContain(
    "Unknown option --disable-userns",
  );
});

it("makes a real box, or says why it can not", async () => {
  const probe = await probeSandbox();
  if (probe.kind === "ready") expect(probe.host.bubblewrap).toMatch(/bwrap$/);
  else expect(probe.problem.cure).not.toBe("");
});
