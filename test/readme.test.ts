import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { scenarios } from "../demo/scenarios/table.ts";
import { root, runCli } from "./cli/run-cli.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "gavel-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every command of the README with where it is tried. `here`: by this file, which is cheap. */
const tried: Readonly<Record<string, string>> = {
  "npm run demo": "test/e2e",
  "npm run demo -- --scenario pass": "test/e2e",
  "npm run demo -- --scenario red --json": "test/e2e",
  "npm run demo -- --scenario crash": "test/e2e",
  "npm run demo -- --help": "test/cli/program.test.ts",
  "npm test": ".ci/run",
  "npm run check": ".ci/run",
  "npm start": "test/bundle.test.ts",
  "node bin/gavel.js setup --url https://gavel.example.org": "test/cli/setup.test.ts",
  "node bin/gavel.js doctor": "here",
  "node bin/gavel.js config check FILE": "here",
};

function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block]) => (block ?? "").trim().split("\n"));
  const inline = [...text.matchAll(/(?<!`)`((?:npm|node|gavel) [^`]+)`/g)].map(([, command]) => command ?? "");
  return [...new Set([...blocks, ...inline])];
}

it("shows no command that is not tried somewhere, and tries none that is not shown", () => {
  expect([...commandsOf(readme)].toSorted()).toEqual(Object.keys(tried).toSorted());
});

it("names scripts, scenarios and pages that there are", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const names = commandsOf(readme).flatMap((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? []);
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const listed = /The scenarios: ([^.]+)\./.exec(readme)?.[1] ?? "";
  expect([...listed.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name ?? "").toSorted()).toEqual(
    Object.keys(scenarios).toSorted(),
  );
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? "");
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("shows a configuration that is in order", async () => {
  const path = join(folder, "gavel.yml");
  writeFileSync(path, /```yaml\n([^`]+)```/.exec(readme)?.[1] ?? "nothing: true\n");
  expect(await runCli(["config", "check", path])).toMatchObject({ exitCode: 0 });
});

it("tells the truth about the doctor and the set-up", async () => {
  const doctor = await runCli(["doctor"], { cwd: folder });
  expect(doctor.stdout).toContain("→");
  expect(doctor.exitCode).toBe(1);
  const setup = await runCli(["setup", "--help"]);
  expect(setup).toMatchObject({ exitCode: 0 });
  expect(setup.stdout).toContain("--url <url>");
});
