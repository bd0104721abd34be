import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { GateRule } from "../../src/config/rules.ts";
import { runGates } from "../../src/gates/run-gates.ts";
import { openSandbox } from "../../src/process/open-sandbox.ts";
import type { Sandbox } from "../../src/process/sandbox.ts";
import { layIn, prepareSetup } from "../../src/workspace/setup.ts";
import { needsSandbox } from "../needs-sandbox.ts";
import { type Files, makeTree, openPlace, write } from "../workspace/support.ts";

let sandbox: Sandbox;

function gate(name: string, command: string, more: Partial<GateRule> = {}): GateRule {
  return { name, command, fix: null, timeoutMinutes: 1, workingDirectory: "", when: [], env: {}, ...more };
}

needsSandbox("gates on fresh checkouts", () => {
  let folder: string;
  let opened: number;
  let released: number;

  beforeAll(async () => {
    sandbox = await openSandbox({ allowNone: false });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gavel-gates-"));
    [opened, released] = [0, 0];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Copies of one folder in the place of a repository. What is chance is a file outside of all of them. */
  function run(rules: readonly GateRule[], changedPaths: readonly string[] = ["src/a.ts"], signal?: AbortSignal) {
    const source = join(folder, "source");
    if (!existsSync(source)) writeTree({});
    return runGates(rules, {
      openTree: () => {
        opened += 1;
        const path = join(folder, `tree-${opened}`);
        cpSync(source, path, { recursive: true });
        // Another content at the first opening than later: a gate that reads it is red or green by chance.
        writeFileSync(join(path, "opening"), `${opened}`);
        return Promise.resolve({
          path,
          release: () => {
            released += 1;
            return Promise.resolve();
          },
        });
      },
      readBaseFile: () => Promise.resolve(null),
      changedPaths,
      sandbox,
      signal: signal ?? new AbortController().signal,
    });
  }
  function writeTree(files: Record<string, string>): void {
    cpSync(mkdtempSync(join(folder, "empty-")), join(folder, "source"), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, "source", path), text);
  }

  it("runs all of them: a red one does not hide the next", async () => {
    const results = await run([gate("a", "exit 1"), gate("b", "true"), gate("c", "nonesuch")]);
    expect(results.map(({ name, state }) => [name, state])).toEqual([
      ["a", "failed"],
      ["b", "passed"],
      ["c", "broken"],
    ]);
    // Red and broken once more, each on its own checkout, all given back.
    expect([opened, released]).toEqual([5, 5]);
  });

  it("lets nothing that one leaves reach the next", async () => {
    const results = await run([
      gate("drops", "mkdir node_modules && echo 'exit 0' > node_modules/forged && echo x > dropped /tmp/x ~/x"),
      gate("looks", "! ls node_modules dropped /tmp/x ~/x"),
    ]);
    expect(results.map(({ state }) => state)).toEqual(["passed", "passed"]);
  });

  it("calls one that is green at the second try flaky, whatever it was at the first", async () => {
    const [red] = await run([gate("red", 'test "$(cat opening)" -gt 1')]);
    expect(red).toMatchObject({ state: "passed", flaky: true, exitCode: 0 });
    expect(red?.reason).toContain("after failed: exit code 1");
    opened = 0;
    const [broken] = await run([gate("broken", 'test "$(cat opening)" -gt 1 || nonesuch')]);
    expect(broken).toMatchObject({ state: "passed", flaky: true });
  });

  it("keeps red what is broken at the second try only", async () => {
    const [result] = await run([gate("a", 'test "$(cat opening)" -gt 1 && kill -KILL $$; exit 4')]);
    expect(result).toMatchObject({ state: "failed", exitCode: 4, flaky: false });
  });

  it("skips one whose `when` matches nothing, and says so", async () => {
    const results = await run(
      [gate("docs", "exit 1", { when: ["docs/**", "*.md"] }), gate("ts", "true", { when: ["**/*.ts"] })],
      ["src/a.ts", ".hidden/b.ts"],
    );
    expect(results).toMatchObject([
      { name: "docs", state: "skipped", exitCode: null },
      { name: "ts", state: "passed" },
    ]);
    expect(results[0]?.reason).toContain("docs/**");
  });

  it("gives the checkout back, and no fact, when it is cancelled", async () => {
    await expect(run([gate("a", "true")], [], AbortSignal.abort())).rejects.toThrow("aborted");
    expect(opened).toBe(released);
  });
});

// Up to a dozen runs of npm each: far below this where nothing else runs.
needsSandbox("an agent that bends its own gates", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    sandbox = await openSandbox({ allowNone: false });
  });

  const scripts = { test: "check-tool src/a.js", lint: "sh scripts/lint.sh" };
  const base: Files = {
    ".gitignore": "node_modules/\n",
    "package.json": JSON.stringify({ scripts }),
    "src/a.js": "good\n",
    "scripts/lint.sh": "grep -q good src/a.js\n",
    Makefile: "check:\n\tgrep -q good src/a.js\n",
  };
  const setup = [
    "mkdir -p node_modules/.bin",
    "printf '#!/bin/sh\\ngrep -q good $1\\n' > node_modules/.bin/check-tool",
    "chmod +x node_modules/.bin/check-tool",
  ];
  const rules = [gate("test", "npm test"), gate("lint", "node --run lint"), gate("make", "make -s check")];

  /** What the gates say of a tree that an agent left: `files` written, `gone` removed. */
  async function judge(files: Record<string, string>) {
    const { repository, mirror, dataFolder } = await openPlace();
    const { tree: baseTree } = await makeTree(mirror, base);
    const outputs = await prepareSetup(repository, {
      dataFolder,
      baseTree,
      commands: [setup.join(" && ")],
      sandbox,
      timeoutSeconds: 60,
    });
    expect(outputs.failure).toBeNull();
    const agents = await repository.openTree(baseTree);
    for (const [path, text] of Object.entries(files)) await write(agents.path, path, text, 0o755);
    const { tree } = await repository.readCandidate(agents, baseTree);
    await agents.release();
    const diff = await repository.diff(baseTree, tree);
    return await runGates(rules, {
      openTree: async () => {
        const opened = await repository.openTree(tree);
        if (outputs.folder !== null) await layIn(outputs.folder, opened.path);
        return opened;
      },
      readBaseFile: (path) => repository.readFile(baseTree, path),
      changedPaths: diff.files.map((file) => file.path),
      sandbox,
      signal: new AbortController().signal,
    });
  }
  const states = (results: Awaited<ReturnType<typeof judge>>) => results.map(({ state }) => state);

  it("is judged by the base's gates where it changes none of them", async () => {
    const good = await judge({ "src/a.js": "still good\n" });
    expect(states(good)).toEqual(["passed", "passed", "passed"]);
    expect(good.some(({ selfChanged }) => selfChanged)).toBe(false);
    expect(states(await judge({ "src/a.js": "bad\n" }))).toEqual(["failed", "failed", "failed"]);
  });

  it("gains nothing by a forged program in an ignored folder", async () => {
    const forged = { "src/a.js": "bad\n", "node_modules/.bin/check-tool": "#!/bin/sh\nexit 0\n" };
    expect(states(await judge(forged))).toEqual(["failed", "failed", "failed"]);
  });

  it.each([
    [
      "scripts of package.json",
      { "package.json": JSON.stringify({ scripts: { test: "true", lint: "true" } }) },
      [0, 1],
    ],
    ["the program of a script", { "scripts/lint.sh": "exit 0\n" }, [1]],
    ["the Makefile", { Makefile: "check:\n\ttrue\n" }, [2]],
    ["a Makefile that is looked at first", { GNUmakefile: "check:\n\ttrue\n" }, [2]],
    ["the shell of scripts", { ".npmrc": "script-shell=./yes\n", yes: "#!/bin/sh\nexit 0\n" }, [0, 1]],
  ])("gains nothing by editing %s", async (_, files, gates) => {
    const results = await judge({ "src/a.js": "bad\n", ...files });
    expect(states(results)).toEqual(["failed", "failed", "failed"]);
    for (const index of gates) {
      expect(results[index]?.selfChanged).toBe(true);
    }
    expect(results[gates[0] ?? 0]?.reason).toMatch(
      /exit code \d+ with the base's definition of this gate; with the change's own it is passed/,
    );
  });

  it("may change a definition that still holds by the base's, and it is told", async () => {
    const [, , make] = await judge({ Makefile: "check:\n\tgrep -q goo src/a.js\n" });
    expect(make).toMatchObject({ state: "passed", selfChanged: true });
    expect(make?.reason).toContain("with the base's definition too");
  });

  it("may add a dependency without a word", async () => {
    const results = await judge({ "package.json": JSON.stringify({ scripts, dependencies: { a: "1.0.0" } }) });
    expect(results.every(({ state, selfChanged }) => state === "passed" && !selfChanged)).toBe(true);
  });
});
