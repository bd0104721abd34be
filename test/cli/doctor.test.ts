import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Finding } from "../../src/cli/checks/finding.ts";
import { checks } from "../../src/cli/checks/table.ts";
import { hasSandbox } from "../needs-sandbox.ts";
import { runCli } from "./run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gavel-doctor-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readFindings(stdout: string): { ok: boolean; findings: Finding[] } {
  return JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
}

const stateOf = (findings: readonly Finding[], check: string): string | undefined =>
  findings.find((finding) => finding.check === check)?.state;

it("finds everything in order where it is, with settings from a file, and leaves nothing behind", async () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const key = privateKey.trim().replaceAll("\n", String.raw`\n`);
  const lines = ["APP_ID=1", `PRIVATE_KEY="${key}"`, "WEBHOOK_SECRET=0123456789", "ANTHROPIC_API_KEY=x"];
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  const env = hasSandbox ? {} : { GAVEL_ISOLATION: "none" };
  const { exitCode, stdout } = await runCli(["doctor", "--json"], { cwd: folder, env });
  const { ok, findings } = readFindings(stdout);
  expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
  expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
  expect(stdout).not.toContain("PRIVATE KEY");
  expect(readdirSync(folder)).toEqual([".env"]);
});

it("tells each problem with its cure", async () => {
  const { exitCode, stdout } = await runCli(["doctor", "--env", join(folder, "none")], {
    env: { DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/gavel" },
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/problem +database .*\n +→ Check DATABASE_URL/);
  expect(stdout).toMatch(/problem +settings +APP_ID is not set.*\n +→ .*gavel setup/);
  expect(stdout).not.toContain("hidden");
});

it("says when there is no git, and no sandbox, on the search path", async () => {
  const PATH = folder;
  const findings = [...(await checks.git({ PATH })), ...(await checks.node({ PATH }))];
  expect(stateOf(findings, "git")).toBe("problem");
  expect(stateOf(findings, "node")).toBe("ok");
  expect(findings[0]?.cure).toContain("Install git");
});

it("takes an old git for a problem", async () => {
  writeFileSync(join(folder, "git"), "#!/bin/sh\necho git version 2.30.1\n", { mode: 0o755 });
  expect(await checks.git({ PATH: folder })).toMatchObject([{ state: "problem", code: "git-too-old" }]);
  rmSync(join(folder, "git"));
});
