import { execFileSync } from "node:child_process";
import { lstat, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../../src/process/run-process.ts";
import type { Sandbox } from "../../src/process/sandbox.ts";
import { layIn, prepareSetup, type SetupOptions } from "../../src/workspace/setup.ts";
import { staysInside } from "../../src/workspace/set-aside.ts";
import { isThere, link, listAll, makeTree, openPlace, type Place, write } from "./support.ts";

/** Runs for real, without a box: what a box allows is tested where boxes are made. */
function unboxed(): Sandbox & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    kind: "none",
    runs,
    run: async (request) => {
      runs.push(request.argv.at(-1) ?? "");
      return await runProcess({
        file: request.argv[0] ?? "",
        args: request.argv.slice(1),
        cwd: request.workspace,
        env: { PATH: process.env["PATH"] ?? "" },
        stdin: request.stdin,
        timeoutSeconds: request.timeoutSeconds,
        outputBytesMax: request.outputBytesMax,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
    },
    open: () => {
      throw new Error("setup holds no conversation");
    },
    workspacePath: (workspace) => workspace,
  };
}

const base = { ".gitignore": "node_modules/\nbuild/\n*.tmp\n", "a.js": "a\n", "pkg/x.js": "x\n" };
const install = [
  "mkdir -p node_modules/.bin node_modules/dep pkg/node_modules/y",
  "printf '#!/bin/sh\\necho real\\n' > node_modules/dep/run && chmod 755 node_modules/dep/run",
  "ln -s ../dep/run node_modules/.bin/run; ln -s /etc/passwd node_modules/leak; ln -s /usr/bin/env node_modules/env",
  "echo y > pkg/node_modules/y/index.js; echo t > pkg/z.tmp; echo untracked > other; mkfifo node_modules/pipe",
  "mkdir -p build/readonly && echo b > build/readonly/b && chmod 500 build/readonly && chmod 400 build/readonly/b",
];

async function open(place: Place, commands: readonly string[]) {
  const sandbox = unboxed();
  const { tree } = await makeTree(place.mirror, base);
  const options: SetupOptions = {
    dataFolder: place.dataFolder,
    baseTree: tree,
    commands,
    sandbox,
    timeoutSeconds: 30,
  };
  return { tree, sandbox, options };
}

test("what setup leaves under ignored names comes into every tree as a copy", async () => {
  const place = await openPlace();
  const { tree, options } = await open(place, install);
  const setup = await prepareSetup(place.repository, options);
  expect(setup).toMatchObject({ failure: null, leftOut: ["node_modules/leak -> /etc/passwd"] });
  const opened = await place.repository.openTree(tree);
  await layIn(setup.folder ?? "", opened.path);
  expect(await listAll(opened.path)).toEqual(
    [
      ".gitignore",
      "a.js",
      "build/",
      "build/readonly/",
      "build/readonly/b",
      "node_modules/",
      "node_modules/.bin/",
      "node_modules/.bin/run",
      "node_modules/dep/",
      "node_modules/dep/run",
      "node_modules/env",
      "pkg/",
      "pkg/node_modules/",
      "pkg/node_modules/y/",
      "pkg/node_modules/y/index.js",
      "pkg/x.js",
      "pkg/z.tmp",
    ].sort(),
  );
  expect(await readlink(join(opened.path, "node_modules/.bin/run"))).toBe("../dep/run");
  expect(execFileSync(join(opened.path, "node_modules/.bin/run"), { encoding: "utf8" })).toBe("real\n");
  expect(await place.repository.readCandidate(opened, tree)).toEqual({ tree, breaches: [] });

  // A copy: what is forged in one tree is in no other.
  await writeFile(join(opened.path, "node_modules/dep/run"), "#!/bin/sh\necho forged\n");
  expect((await lstat(join(opened.path, "node_modules/dep/run"))).nlink).toBe(1);
  await opened.release();
  const next = await place.repository.openTree(tree);
  await layIn(setup.folder ?? "", next.path);
  expect(execFileSync(join(next.path, "node_modules/.bin/run"), { encoding: "utf8" })).toBe("real\n");
});

test("setup is run once for a base and its commands", async () => {
  const place = await openPlace();
  const { options, sandbox } = await open(place, ["mkdir build", "echo 1 > build/one"]);
  const first = await prepareSetup(place.repository, options);
  const second = await prepareSetup(place.repository, options);
  expect(second).toEqual({ ...first, seconds: 0 });
  expect(sandbox.runs).toHaveLength(2);
  const other = await makeTree(place.mirror, { ...base, "a.js": "b\n" });
  const third = await prepareSetup(place.repository, { ...options, baseTree: other.tree });
  expect(third.key).not.toBe(first.key);
  expect(sandbox.runs).toHaveLength(4);
});

test("two at once get the same outputs", async () => {
  const place = await openPlace();
  const { options } = await open(place, ["mkdir build && echo 1 > build/one"]);
  const both = await Promise.all([prepareSetup(place.repository, options), prepareSetup(place.repository, options)]);
  expect(both[0]?.folder).toBe(both[1]?.folder);
  expect(await listAll(both[0]?.folder ?? "")).toEqual(["build/", "build/one"]);
});

test("without commands there is nothing", async () => {
  const place = await openPlace();
  const { options } = await open(place, []);
  expect(await prepareSetup(place.repository, options)).toMatchObject({ folder: null, failure: null, seconds: 0 });
});

test("a failing command is named, with the end of its output, and nothing is kept", async () => {
  const place = await openPlace();
  const { options, sandbox } = await open(place, ["echo no such package >&2; false | cat", "echo never"]);
  const setup = await prepareSetup(place.repository, options);
  expect(setup.folder).toBeNull();
  expect(setup.failure).toMatch(/exit code 1\nno such package$/);
  expect(sandbox.runs).toHaveLength(1);
  // The tree is back in the pool.
  const opened = await place.repository.openTree(options.baseTree);
  expect(opened.path).toMatch(/1$/);
});

test("a command that takes too long fails the setup", async () => {
  const place = await openPlace();
  const { options } = await open(place, ["sleep 60"]);
  const setup = await prepareSetup(place.repository, { ...options, timeoutSeconds: 1 });
  expect(setup.failure).toContain("timed-out");
});

test("outputs never overwrite what the tree holds, and never go through its links", async () => {
  const place = await openPlace();
  const { options } = await open(place, [
    "mkdir -p build pkg/node_modules; echo s > build/s; echo s > pkg/node_modules/s",
  ]);
  const setup = await prepareSetup(place.repository, options);
  await write(place.dataFolder, "outside/kept", "kept");
  const opened = await place.repository.openTree(
    (
      await makeTree(place.mirror, {
        build: { kind: "link", target: join(place.dataFolder, "outside") },
        "pkg/node_modules/s": "own",
      })
    ).tree,
  );
  await layIn(setup.folder ?? "", opened.path);
  expect(await listAll(join(place.dataFolder, "outside"))).toEqual(["kept"]);
  expect(await readFile(join(opened.path, "pkg/node_modules/s"), "utf8")).toBe("own");
});

test("a nested git folder and a FIFO named like a rule file do no harm to a setup", async () => {
  const place = await openPlace();
  const { options } = await open(place, ["mkdir -p build/x/.git && echo 1 > build/x/.git/HEAD; mkfifo pkg/.gitignore"]);
  const setup = await prepareSetup(place.repository, options);
  expect(await listAll(setup.folder ?? "")).toContain("build/x/.git/HEAD");
});

test("links are kept only where they stay inside", async () => {
  const inside: [string, string][] = [
    ["a/b", "c"],
    ["a/b", "../c/d"],
    ["a/b/c", "../../x"],
    ["a", "."],
    ["a/b", ".."],
    ["a", "/usr/bin/env"],
    ["a", "/workspace/b"],
  ];
  const outside: [string, string][] = [
    ["a", ".."],
    ["a/b", "../../c"],
    ["a/b", "c/../../.."],
    ["a/b", "x/../y"],
    ["a", "/etc/passwd"],
    ["a", "/usr/../etc"],
    ["a", "/workspace"],
    ["a", "/workspaces/x"],
    ["a", "/"],
  ];
  for (const [path, target] of inside)
    expect([path, target, staysInside(path, target, "/workspace")]).toEqual([path, target, true]);
  for (const [path, target] of outside)
    expect([path, target, staysInside(path, target, "/workspace")]).toEqual([path, target, false]);
  expect(staysInside("a", "/workspace/b", null)).toBe(false);
});

test("a planted program in the agent's tree is not among the outputs", async () => {
  const place = await openPlace();
  const { tree, options } = await open(place, install);
  const agents = await place.repository.openTree(tree);
  await write(agents.path, "node_modules/.bin/vitest", "#!/bin/sh\nexit 0\n", 0o755);
  await link(agents.path, "node_modules/dep", "/etc");
  const setup = await prepareSetup(place.repository, options);
  expect(await isThere(join(setup.folder ?? "", "node_modules/.bin/vitest"))).toBe(false);
});
