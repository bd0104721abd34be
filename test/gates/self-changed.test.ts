import { describe, expect, it } from "vitest";
import { definitionKind } from "../../src/gates/definition-files.ts";
import { findProgramFiles } from "../../src/gates/find-program-files.ts";
import { findScriptCalls } from "../../src/gates/script-calls.ts";
import { findSelfChange } from "../../src/gates/self-changed.ts";

describe("files that define a gate by their name", () => {
  it.each([
    ["package.json", "scripts"],
    ["packages/a/package.json", "scripts"],
    ["Makefile", "overlay"],
    ["tools/build.mk", "overlay"],
    ["Taskfile.yml", "overlay"],
    ["justfile", "overlay"],
    ["tsconfig.json", "overlay"],
    ["packages/a/tsconfig.build.json", "overlay"],
    ["vitest.config.ts", "overlay"],
    ["vitest.workspace.ts", "overlay"],
    ["jest.config.cjs", "overlay"],
    ["eslint.config.js", "overlay"],
    [".eslintrc.json", "overlay"],
    [".eslintrc", "overlay"],
    [".oxlintrc.json", "overlay"],
    [".prettierrc", "overlay"],
    ["biome.json", "overlay"],
    ["biome.jsonc", "overlay"],
    [".mocharc.yml", "overlay"],
    [".npmrc", "overlay"],
    ["pyproject.toml", "overlay"],
    ["pytest.ini", "overlay"],
    ["setup.cfg", "overlay"],
    [".golangci.yml", "overlay"],
    [".cargo/config.toml", "overlay"],
    ["gradlew", "overlay"],
    ["Cargo.toml", "mark"],
    ["pom.xml", "mark"],
    ["test/conftest.py", "mark"],
    ["package-lock.json", null],
    ["src/index.ts", null],
    ["test/a.test.ts", null],
    ["src/makefile.ts", null],
    ["docs/tsconfig.md", null],
    ["README.md", null],
  ])("%s: %s", (path, kind) => {
    expect(definitionKind(path)).toBe(kind);
  });
});

describe("files that a command names as its program", () => {
  it.each<[string, readonly string[]]>([
    ["./scripts/check.sh", ["scripts/check.sh"]],
    ["bash scripts/check.sh --fast", ["scripts/check.sh"]],
    ["bash -e 'scripts/my check.sh'", []],
    ["bash -x 'scripts/my check.sh'", ["scripts/my check.sh"]],
    ["node scripts/lint.js src", ["scripts/lint.js"]],
    ["node --import ./setup.js run.js", ["setup.js", "run.js"]],
    ["CI=1 env A=b python3 tools/check.py", ["tools/check.py"]],
    ["cd tools && ./check.sh", ["tools/check.sh"]],
    ["npx eslint -c config/eslint.js src", ["config/eslint.js"]],
    ["tsc --project=tsconfig.build.json --noEmit", ["tsconfig.build.json"]],
    ["make -f ci.mk test | tee log.txt", ["ci.mk"]],
    ["node --test test/a.test.js", []],
    ["node --check src/duration.js", []],
    ["python -m pytest tests/test_a.py", []],
    ["eslint src test/a.js", []],
    ["npm test", []],
    ["bash ../outside.sh; /usr/bin/true", []],
    ["", []],
  ])("%s", (command, files) => {
    expect(findProgramFiles(command, "")).toEqual(files);
  });

  it("counts from the working directory", () => {
    expect(findProgramFiles("./check.sh", "packages/a")).toEqual(["packages/a/check.sh"]);
  });
});

describe("package scripts that a command runs", () => {
  it.each<[string, readonly string[]]>([
    ["npm test", ["test"]],
    ["npm t -- --run", ["test"]],
    ["npm run lint && npm run -s types", ["lint", "types"]],
    ["yarn build", ["build"]],
    ["pnpm run check", ["check"]],
    ["node --run test", ["test"]],
    ["CI=1 npm run-script x", ["x"]],
    ["npm ci", []],
    ["npm run", []],
    ["node test.js", []],
    ["make test", []],
  ])("%s", (command, names) => {
    expect(findScriptCalls(command)).toEqual(names);
  });
});

describe("whether a change defines a gate", () => {
  const manifest = {
    scripts: {
      test: "npm run unit",
      unit: "bash scripts/unit.sh",
      start: "node src/main.js",
      pretest: "./scripts/before.sh",
    },
  };
  const readBaseFile = (path: string) =>
    Promise.resolve(path === "package.json" ? Buffer.from(JSON.stringify(manifest)) : null);

  it.each([
    ["the script of a script of the command", ["scripts/unit.sh"], "overlay"],
    ["what runs before it", ["scripts/before.sh"], "overlay"],
    ["the manifest", ["package.json"], "scripts"],
    ["a manifest of the build", ["Cargo.toml"], "mark"],
  ] as const)("yes: %s", async (_, paths, kind) => {
    const change = await findSelfChange({ command: "npm test", workingDirectory: "" }, paths, readBaseFile);
    expect(change).toEqual({ overlay: [], scripts: [], mark: [], [kind]: paths });
  });

  it.each([
    ["the program of a script that the command does not run", ["src/main.js"]],
    ["tests and sources", ["test/a.test.js", "src/a.js"]],
    ["nothing", []],
  ])("no: %s", async (_, paths) => {
    const change = await findSelfChange({ command: "npm test", workingDirectory: "" }, paths, readBaseFile);
    expect(change).toEqual({ overlay: [], scripts: [], mark: [] });
  });

  it("ends where scripts call each other for ever", async () => {
    const loop = () => Promise.resolve(Buffer.from(JSON.stringify({ scripts: { a: "npm run b", b: "npm run a" } })));
    const change = await findSelfChange({ command: "npm run a", workingDirectory: "" }, ["x"], loop);
    expect(change.overlay).toEqual([]);
  });
});
