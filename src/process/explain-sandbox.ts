import type { Problem } from "../domain/event.ts";

/** What was measured about a machine on which a box could not be made. */
export interface SandboxFacts {
  readonly platform: string;
  /** Program that is not installed, or null. */
  readonly missing: string | null;
  /** What bubblewrap said. */
  readonly said: string;
  /** Values under /proc/sys; null where the file does not exist. */
  readonly appArmorRestricts: string | null;
  readonly unprivilegedNamespaces: string | null;
  readonly namespacesMax: string | null;
  readonly inContainer: boolean;
}

const packages: Readonly<Record<string, string>> = { bwrap: "bubblewrap", bash: "bash" };

/** Turns a failed probe into one problem with its cure. Pure; the first cause that fits is told. */
export function explainSandbox(facts: SandboxFacts): Problem {
  if (facts.platform !== "linux") {
    return problem(
      "sandbox-platform",
      `The sandbox is bubblewrap, which exists for Linux only; this is ${facts.platform}.`,
      "Run Gavel on Linux, or in a Linux virtual machine.",
    );
  }
  if (facts.missing !== null) {
    return problem(
      "sandbox-missing",
      `${facts.missing} is not installed.`,
      `Install it: apt-get install ${packages[facts.missing] ?? facts.missing} (or the same package of your system).`,
    );
  }
  const refused = /namespace|uid map|Operation not permitted|Permission denied/i.test(facts.said);
  if (refused && facts.namespacesMax === "0") {
    return problem(
      "sandbox-namespaces-off",
      "User namespaces are turned off on this machine (user.max_user_namespaces is 0).",
      "Turn them on: sysctl -w user.max_user_namespaces=15000",
    );
  }
  if (refused && facts.unprivilegedNamespaces === "0") {
    return problem(
      "sandbox-namespaces-off",
      "Only root may make user namespaces on this machine (kernel.unprivileged_userns_clone is 0).",
      "Allow them: sysctl -w kernel.unprivileged_userns_clone=1",
    );
  }
  if (/mount proc|\/proc/i.test(facts.said) && /mount/i.test(facts.said)) {
    return problem(
      "sandbox-proc-masked",
      "A fresh /proc can not be mounted here: the container masks parts of its own.",
      "Start the container with --security-opt systempaths=unconfined (and seccomp=unconfined, apparmor=unconfined).",
    );
  }
  if (refused && facts.appArmorRestricts === "1") {
    return problem(
      "sandbox-apparmor",
      "AppArmor keeps programs from using user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1).",
      "Give bwrap a profile that allows userns (see docs/operations.md), or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    );
  }
  if (refused && facts.inContainer) {
    return problem(
      "sandbox-seccomp",
      "The container's seccomp profile forbids namespaces.",
      "Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined.",
    );
  }
  return problem(
    "sandbox-failed",
    `bubblewrap is installed but could not make a box: ${facts.said.trim().split("\n").at(-1) || "it said nothing"}`,
    "Run `bwrap --unshare-all --ro-bind / / true` as the user who runs Gavel and mend what it reports.",
  );
}

function problem(code: string, message: string, cure: string): Problem {
  return { code, message, cure };
}
