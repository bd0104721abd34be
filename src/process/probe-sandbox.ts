import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../domain/event.ts";
import { bubblewrapSandbox } from "./bubblewrap.ts";
import { explainSandbox, type SandboxFacts } from "./explain-sandbox.ts";
import { type HostSystem, readHostSystem } from "./host-system.ts";

export type Probe =
  | { readonly kind: "ready"; readonly host: HostSystem }
  | { readonly kind: "unavailable"; readonly problem: Problem };

const probeSecondsMax = 20;
const probeBytesMax = 10_000;

/** Says whether boxes can be made on this machine, by making one; if not, why and what the cure is. */
export async function probeSandbox(runtimeFolders: readonly string[] = []): Promise<Probe> {
  if (process.platform !== "linux") return unavailable({ missing: null, said: "" });
  const host = readHostSystem(runtimeFolders);
  if ("missing" in host) return unavailable({ missing: host.missing, said: "" });
  const workspace = mkdtempSync(join(tmpdir(), "gavel-probe-"));
  try {
    const result = await bubblewrapSandbox(host).run({
      profile: "gate",
      workspace,
      mounts: [],
      argv: ["bash", "-c", "node --version && test -w /workspace && echo ready"],
      workingDirectory: "",
      env: {},
      stdin: null,
      timeoutSeconds: probeSecondsMax,
      outputBytesMax: probeBytesMax,
    });
    if (result.exitCode === 0 && result.stdout.text.endsWith("ready\n")) return { kind: "ready", host };
    return unavailable({ missing: null, said: `${result.stdout.text}${result.stderr.text}${result.reason}` });
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function unavailable(found: Pick<SandboxFacts, "missing" | "said">): Probe {
  const problem = explainSandbox({
    ...found,
    platform: process.platform,
    appArmorRestricts: readSetting("kernel/apparmor_restrict_unprivileged_userns"),
    unprivilegedNamespaces: readSetting("kernel/unprivileged_userns_clone"),
    namespacesMax: readSetting("user/max_user_namespaces"),
    inContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
  });
  return { kind: "unavailable", problem };
}

function readSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return null;
  }
}
