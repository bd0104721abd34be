import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { version } from "../../src/cli/version.ts";
import { root, runCli } from "./run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gavel-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it("bears package.json's version", async () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(version).toBe(manifest.version);
  expect(await runCli(["--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
});

it("names the command that was probably meant", async () => {
  const { exitCode, stderr } = await runCli(["docter"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Did you mean doctor?");
});

it("refuses a word that a command has no place for", async () => {
  const { exitCode, stderr } = await runCli(["doctor", "everything"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("too many arguments");
});

it("says everything that is wrong with a file at once, each with line and column", async () => {
  const path = write("wrong.yml", "version: 1\nimplment: {}\nbudget:\n  usd_per_chain: -1\n");
  const { exitCode, stdout } = await runCli(["config", "check", path]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`${path}:2:1 implment is not a key`);
  expect(stdout).toContain("did you mean implement?");
  expect(stdout).toContain(`${path}:4:18 budget.usd_per_chain must be more than 0`);

  const asJson = await runCli(["config", "check", path, "--json"]);
  expect(asJson.exitCode).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, problems: [{ line: 2, column: 1 }, { line: 4 }] });
});

it("finds a file that is in order to be so", async () => {
  const path = write("right.yml", "version: 1\n");
  expect(await runCli(["config", "check", path])).toMatchObject({ exitCode: 0, stdout: `${path} is in order.\n` });
  expect(JSON.parse((await runCli(["config", "check", path, "--json"])).stdout)).toEqual({ ok: true, problems: [] });
});

it("says in words that a file is missing, without a stack", async () => {
  const { exitCode, stderr } = await runCli(["config", "check", join(folder, "nowhere.yml")]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("There is no file");
  expect(stderr).toContain("(config-unreadable)");
  expect(stderr).not.toContain("    at ");
  const loud = await runCli(["config", "check", join(folder, "nowhere.yml")], { env: { LOG_LEVEL: "debug" } });
  expect(loud.stderr).toContain("    at ");
});

it("shows what a file amounts to", async () => {
  const path = write("shown.yml", "implement:\n  self_review: { max_iterations: 1 }\n");
  const { exitCode, stdout } = await runCli(["config", "show", path]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`implement.self_review.max_iterations: 1  # ${path}:2:34\n`);
  expect(stdout).toContain('trigger.label: "gavel"  # default\n');
});

it("does not show what can not be run on", async () => {
  const { exitCode, stdout, stderr } = await runCli(["config", "show", write("bad.yml", "version: 2\n")]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("version must be 1");
});

it("hands the demo's own options on to it", async () => {
  const { exitCode, stdout } = await runCli(["demo", "--help"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("--scenario");
});
