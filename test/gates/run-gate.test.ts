import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readResult, runGate } from "../../src/gates/run-gate.ts";
import { openSandbox } from "../../src/process/open-sandbox.ts";
import type { Sandbox } from "../../src/process/sandbox.ts";
import { programs } from "../bin/programs.ts";
import { needsSandbox } from "../needs-sandbox.ts";
import { findProcesses, waitUntil } from "../process/process-list.ts";

const exited = (exitCode: number) => ({ end: "exited", exitCode, reason: `exit code ${exitCode}` }) as const;

describe("what the end of a gate means", () => {
  it.each([
    [exited(0), "fine", "passed", "exit code 0"],
    [exited(0), "ℹ tests 0\nℹ pass 0\nℹ fail 0", "unverified", "it ran no test (node:test)"],
    [exited(1), "ℹ tests 0\nℹ pass 0\nℹ fail 0", "failed", "exit code 1"],
    [exited(5), "===== no tests ran in 0.01s =====", "unverified", "ran no test"],
    [exited(5), "something else", "failed", "exit code 5"],
    [exited(2), "bash: line 1: eslint: command not found", "failed", "exit code 2"],
    [exited(0), "bash: line 1: eslint: command not found", "passed", "exit code 0"],
    [exited(127), "bash: line 1: eslint: command not found", "broken", "eslint is not installed"],
    [exited(127), "> test\n> vitest\nsh: 1: vitest: not found", "broken", "vitest is not installed"],
    [exited(127), "sh: line 1: vitest: command not found", "broken", "vitest is not installed"],
    [exited(127), "bash: line 1: ./check.sh: No such file or directory", "broken", "./check.sh is not installed"],
    [exited(126), "bash: line 1: ./check.sh: Permission denied", "broken", "./check.sh can not be run"],
    [exited(127), "127 assertions failed", "failed", "exit code 127"],
    [exited(137), "", "broken", "killed (SIGKILL)"],
    [exited(139), "Segmentation fault", "failed", "exit code 139"],
    [{ end: "timed-out", exitCode: null, reason: "it took longer" }, "", "broken", "it took longer"],
    [{ end: "signalled", exitCode: null, reason: "it was killed (SIGKILL)" }, "", "broken", "it was killed"],
    [{ end: "not-started", exitCode: null, reason: "the box could not be made" }, "", "broken", "the box"],
  ] as const)("%o %s: %s", (result, output, state, reason) => {
    const reading = readResult(result, output);
    expect(reading.state).toBe(state);
    expect(reading.reason).toContain(reason);
  });
});

needsSandbox("a gate in the sandbox", () => {
  let sandbox: Sandbox;
  let treePath: string;

  beforeAll(async () => {
    sandbox = await openSandbox({ allowNone: false });
  });
  beforeEach(() => {
    treePath = mkdtempSync(join(tmpdir(), "gavel-gate-"));
  });
  afterEach(() => rmSync(treePath, { recursive: true, force: true }));

  function run(command: string, options: { minutes?: number; folder?: string; signal?: AbortSignal } = {}) {
    const { minutes = 1, folder = "", signal = new AbortController().signal } = options;
    const rule = { name: "check", command, timeoutMinutes: minutes, workingDirectory: folder, env: { GIVEN: "yes" } };
    const mounts = [{ source: programs, target: "/opt/programs", access: "read" }] as const;
    return runGate(rule, { treePath, sandbox, mounts, signal });
  }

  it.each([
    ["echo fine", "passed", 0],
    ["exit 3", "failed", 3],
    // The pipe's own exit code would be that of tee.
    ["false | tee log", "failed", 1],
    ["true | tee log", "passed", 0],
    ["nonesuch --check", "broken", 127],
    ["npx nonesuch", "failed", 1],
    ["touch x && ./x", "broken", 126],
    ["kill -KILL $$", "broken", 137],
    ["sleep 60", "broken", null],
  ])("%s: %s", async (command, state, exitCode) => {
    const result = await run(command, { minutes: command === "sleep 60" ? 0.02 : 1 });
    expect(result).toMatchObject({ name: "check", command, state, exitCode });
  });

  it("is broken, with the reason, where its working folder is missing", async () => {
    const result = await run("true", { folder: "nowhere" });
    expect(result).toMatchObject({ state: "broken", exitCode: null });
    expect(result.reason).toContain("nowhere");
  });

  it("runs in its working folder, with its variables and as on CI", async () => {
    mkdirSync(join(treePath, "packages/a"), { recursive: true });
    const result = await run('echo "$PWD $GIVEN $CI"', { folder: "packages/a" });
    expect(result.output).toBe("/workspace/packages/a yes true");
  });

  it("shows both streams in the order in which they were written, cleaned", async () => {
    const result = await run("echo a; echo b >&2; echo c; node /opt/programs/odd-bytes.ts");
    expect(result.output).toBe("a\nb\nc\na\uFFFD\uFFFDb\nred\n100%");
  });

  it("keeps head and tail of a flood", async () => {
    const result = await run("node /opt/programs/flood.ts 20");
    expect(result.output.length).toBeLessThanOrEqual(4_000);
    expect(result.output).toMatch(/^first line\n[^]*characters left out[^]*\nlast line$/);
  });

  it("finds that node:test ran nothing, all of it skipped, or something", async () => {
    writeFileSync(join(treePath, "a.test.mjs"), 'import test from "node:test"; test("a", { skip: true }, () => {});');
    expect(await run("node --test 'none*.mjs'")).toMatchObject({ state: "unverified", exitCode: 0 });
    expect(await run("node --test")).toMatchObject({ state: "unverified", exitCode: 0 });
    writeFileSync(join(treePath, "b.test.mjs"), 'import test from "node:test"; test("b", () => {});');
    expect(await run("node --test")).toMatchObject({ state: "passed" });
  });

  it("is no fact when it was cancelled, and leaves nothing behind", async () => {
    const marker = randomUUID();
    const stop = new AbortController();
    // Put together in the box: bubblewrap's own command line holds the gate's command.
    const command = `node /opt/programs/leave-grandchild.ts "${marker.slice(0, 18)}""${marker.slice(18)}" stay`;
    const running = run(command, { signal: stop.signal });
    const outcome = expect(running).rejects.toThrow("aborted");
    await waitUntil("it runs", () => findProcesses(marker).length >= 2);
    stop.abort();
    await outcome;
    expect(findProcesses(marker)).toEqual([]);
  });
});
