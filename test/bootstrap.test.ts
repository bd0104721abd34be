import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error: plain JavaScript, for any Node.
import { isNewEnough } from "../bin/find-node.js";
// @ts-expect-error: plain JavaScript, for any Node.
import { takeLock } from "../bin/install-lock.js";
import { type Ran, root, runNode } from "./cli/run-cli.ts";

/** A clone that has no packages, and a program in npm's place that notes each start and can be made to wait or to fail. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "gavel-clone-"));
  cpSync(join(root, "bin"), join(clone, "bin"), { recursive: true });
  writeFileSync(join(clone, "package.json"), JSON.stringify({ name: "clone", type: "module", version: "1.0.0" }));
  writeFileSync(join(clone, "package-lock.json"), "{}");
  writeFileSync(
    join(clone, "say.ts"),
    'const words: string[] = process.argv.slice(2);\nconsole.log("said", ...words);\n',
  );
  mkdirSync(join(clone, "tools"));
  const npm = [
    "#!/bin/sh",
    'echo "$@" >> started',
    "if [ -e fail ]; then exit 7; fi",
    // Until another process stands at the lock, or for ten seconds.
    "if [ -e hold ]; then i=0; while [ ! -e go ] && [ $i -lt 200 ]; do i=$((i+1)); sleep 0.05; done; fi",
    "mkdir -p node_modules/thing",
    'echo \'{"bin":"thing.js"}\' > node_modules/thing/package.json',
    "echo 'console.log(\"thing\", process.argv[2]); process.exitCode = 5' > node_modules/thing/thing.js",
  ];
  writeFileSync(join(clone, "tools", "npm"), npm.join("\n"));
  chmodSync(join(clone, "tools", "npm"), 0o755);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const env = (): Record<string, string> => ({ PATH: `${join(clone, "tools")}:${process.env["PATH"] ?? ""}` });
const starts = (): number => readFileSync(join(clone, "started"), "utf8").trim().split("\n").length;
const run = (...args: string[]): Promise<Ran> =>
  runNode([join(clone, "bin", "bootstrap.js"), ...args], { cwd: clone, env: env() });

describe("the bootstrap", () => {
  it("installs once, and runs a TypeScript file with the words it was given", async () => {
    const first = await run("say.ts", "a b", "--c");
    expect(first).toMatchObject({ exitCode: 0, stdout: "said a b --c\n" });
    expect(first.stderr).toContain("npm ci");
    expect(readFileSync(join(clone, "started"), "utf8")).toContain(
      "ci --include=dev --include=optional --ignore-scripts",
    );
    expect(await run("say.ts")).toEqual({ exitCode: 0, stdout: "said\n", stderr: "" });
    expect(starts()).toBe(1);
    expect(readdirSync(join(clone, ".cache"))).toEqual([]);
  });

  it("hands on a package's exit code, and Node's own options", async () => {
    expect(await run("thing", "word")).toMatchObject({ exitCode: 5, stdout: "thing word\n" });
    writeFileSync(join(clone, "env"), 'WORD="from\\nfile"\n');
    writeFileSync(join(clone, "read.ts"), 'console.log(JSON.stringify(process.env["WORD"]));\n');
    expect(await run("--env-file-if-exists=env", "read.ts")).toMatchObject({ stdout: '"from\\nfile"\n' });
    expect(await run("--env-file-if-exists=none", "say.ts")).toMatchObject({ exitCode: 0, stdout: "said\n" });
  });

  it("installs again when the lock file changed, and when an install was cut off", async () => {
    await run("say.ts");
    writeFileSync(join(clone, "package-lock.json"), '{"lockfileVersion":3}');
    await run("say.ts");
    expect(starts()).toBe(2);
    rmSync(join(clone, "node_modules", ".gavel-installed"));
    await run("say.ts");
    expect(starts()).toBe(3);
  });

  it("runs nothing when npm fails, and tries again the next time", async () => {
    writeFileSync(join(clone, "fail"), "");
    const failed = await run("say.ts");
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toContain("npm ci ended with exit code 7");
    rmSync(join(clone, "fail"));
    expect(await run("say.ts")).toMatchObject({ exitCode: 0 });
    expect(starts()).toBe(2);
  });

  it("lets one of several install and the others wait", async () => {
    writeFileSync(join(clone, "hold"), "");
    const children = [1, 2, 3].map(() => {
      const child = spawn(process.execPath, [join(clone, "bin", "bootstrap.js"), "say.ts"], { cwd: clone, env: env() });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
      child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
      return { exited: new Promise((resolve) => child.once("exit", resolve)), said: () => said, child };
    });
    // The install goes on once both others have said that they wait.
    await expect
      .poll(() => children.filter(({ said }) => said().includes("Another process installs")).length, { timeout: 8_000 })
      .toBe(2);
    writeFileSync(join(clone, "go"), "");
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    expect(children.map(({ said }) => said().includes("said\n"))).toEqual([true, true, true]);
    expect(starts()).toBe(1);
  });

  it("says what is wrong with a name that is nothing", async () => {
    expect((await run("nothing.ts")).stderr).toContain("There is no nothing.ts");
    expect((await run("nothing")).stderr).toContain("The package nothing is not installed");
    expect((await run()).stderr).toContain("Usage");
  });

  it("passes an end by a signal on", async () => {
    await run("say.ts");
    const program = 'process.on("SIGTERM", () => process.exit(9)); console.log("up"); setInterval(() => {}, 1000);\n';
    writeFileSync(join(clone, "wait.ts"), program);
    const child = spawn(process.execPath, [join(clone, "bin", "bootstrap.js"), "wait.ts"], { cwd: clone, env: env() });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    expect(await exited).toBe(9);
  });
});

describe("the lock", () => {
  it("is taken over from a holder that died, by one of several", async () => {
    const path = join(clone, "lock");
    const dead = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => dead.once("exit", resolve));
    writeFileSync(path, `${dead.pid} 00000000-0000-4000-8000-000000000000`);
    const taken = (await Promise.all([1, 2, 3, 4].map(() => takeLock(path, 0, () => undefined)))) as {
      release(): void;
    }[];
    const holders = taken.filter((lock) => lock !== null);
    expect(holders).toHaveLength(1);
    holders[0]?.release();
    expect(readdirSync(clone).filter((name) => name.startsWith("lock"))).toEqual([]);
  });

  it("is not taken from a holder that lives", async () => {
    const path = join(clone, "lock");
    const held = (await takeLock(path, 1, () => undefined)) as { release(): void };
    let waited = 0;
    expect(await takeLock(path, 0, () => (waited += 1))).toBeNull();
    expect(waited).toBe(1);
    expect(existsSync(path)).toBe(true);
    held.release();
    expect(existsSync(path)).toBe(false);
  });
});

it.each([
  ["20.20.2", false],
  ["24.11.9", false],
  ["24.12.0", true],
  ["v25.0.0", true],
])("Node %s is new enough: %s", (version, enough) => {
  expect(isNewEnough(version)).toBe(enough);
});

it("is given a lock file that names no registry's host", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});
