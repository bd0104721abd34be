import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProcess } from "../../src/process/run-process.ts";
import type { ProcessRequest } from "../../src/process/spawn.ts";
import { program } from "../bin/programs.ts";
import { findProcesses, waitUntil } from "./process-list.ts";

type Options = Partial<Omit<ProcessRequest, "file" | "args">>;

function run([file, ...args]: readonly [string, ...string[]], options: Options = {}) {
  return runProcess({
    file,
    args,
    cwd: "/",
    env: {},
    stdin: null,
    timeoutSeconds: 20,
    outputBytesMax: 10_000,
    ...options,
  });
}

/** Ends a process that a test left behind on purpose. */
function endLater(pid: number, marker: string): void {
  onTestFinished(() => {
    if (findProcesses(marker).includes(pid)) process.kill(pid, "SIGKILL");
  });
}

describe("a child that ends by itself", () => {
  it("gives exit code and both streams", async () => {
    expect(await run(program("exit-with", "3"))).toMatchObject({
      end: "exited",
      exitCode: 3,
      signal: null,
      stdout: { text: "out\n", bytes: 4, truncated: false },
      stderr: { text: "err\n" },
      reason: "exit code 3",
    });
  });

  it("is told from one that was killed by somebody else", async () => {
    expect(await run([process.execPath, "-e", "process.kill(process.pid, 'SIGSEGV')"])).toMatchObject({
      end: "signalled",
      exitCode: null,
      signal: "SIGSEGV",
    });
  });

  it("gets the environment given and nothing of ours", async () => {
    process.env["GAVEL_TEST_SECRET"] = "hidden";
    const result = await run(program("show-environment"), { env: { ONLY: "this" } });
    delete process.env["GAVEL_TEST_SECRET"];
    expect(JSON.parse(result.stdout.text)).toEqual({ ONLY: "this" });
  });
});

describe("a child that does not start", () => {
  it.each([
    ["no such program", ["/nowhere/program"], "/nowhere/program is not installed"],
    ["a folder", ["/usr"], "may not be run"],
    ["an argument over the system's limit", ["/bin/true", "x".repeat(3_000_000)], "longer than the system allows"],
    ["a NUL in an argument", ["/bin/true", "a\0b"], "could not be started"],
  ] as const)("says why: %s", async (_, argv, reason) => {
    const result = await run(argv);
    expect(result).toMatchObject({ end: "not-started", exitCode: null });
    expect(result.reason).toContain(reason);
  });

  it("says that the working folder is missing", async () => {
    const result = await run(["/bin/true"], { cwd: "/nowhere" });
    expect(result).toMatchObject({ end: "not-started", reason: "the working folder /nowhere does not exist" });
  });
});

describe("standard input", () => {
  it("is closed when there is none, so that nothing waits for a terminal", async () => {
    expect((await run(program("read-slowly"))).stdout.text).toBe("0\n");
  });

  it("takes a megabyte that is read slowly", async () => {
    expect((await run(program("read-slowly"), { stdin: "x".repeat(1_000_000) })).stdout.text).toBe("1000000\n");
  });

  it("may be left unread", async () => {
    const result = await run(program("exit-with", "0"), { stdin: Buffer.alloc(5_000_000) });
    expect(result).toMatchObject({ end: "exited", exitCode: 0 });
  });
});

describe("output", () => {
  it("of 500 MB is kept in bounded memory, head and tail, with a mark", async () => {
    const before = process.memoryUsage().rss;
    const { stdout } = await run(program("flood", "500"), { outputBytesMax: 1_000, timeoutSeconds: 100 });
    const growth = process.memoryUsage().rss - before;
    expect(stdout.bytes).toBe(500 * 1024 * 1024 + "first line\nlast line\n".length);
    expect(stdout.truncated).toBe(true);
    expect(stdout.text).toMatch(/^first line\nx+\n\[… \d+ bytes left out …\]\nx+\nlast line\n$/);
    expect(stdout.text.length).toBeLessThan(1_100);
    expect(growth).toBeLessThan(250 * 1024 * 1024);
  }, 120_000);

  it("that is not UTF-8 is replaced, not lost", async () => {
    expect((await run(program("odd-bytes"))).stdout.text).toBe(
      "a\uFFFD\uFFFD\0b\n\u001B[31mred\u001B[0m\n 10%\r 50%\r100%\n",
    );
  });

  it("is not torn within a character by our own cut", async () => {
    for (const outputBytesMax of [100, 101, 102, 103]) {
      const { stdout } = await run([process.execPath, "-e", "console.log('é€😀'.repeat(100))"], { outputBytesMax });
      expect(stdout.truncated).toBe(true);
      expect(stdout.text).not.toContain("\uFFFD");
    }
  });
});

describe("limits", () => {
  it.each([["hang"], ["close-streams"], ["flood", "1000000"]])(
    "end a child that would not: %s",
    async (name, ...args) => {
      const result = await run(program(name, ...args), { timeoutSeconds: 1 });
      expect(result).toMatchObject({ end: "timed-out", exitCode: null, signal: "SIGKILL" });
      expect(result.reason).toContain("limit of 1 seconds");
    },
  );

  it("end the whole group on a cancel", async () => {
    const marker = randomUUID();
    const stop = new AbortController();
    const script = `${process.execPath} -e 'setInterval(() => {}, 1000)' ${marker} & wait`;
    const running = run(["/bin/bash", "-c", script], { signal: stop.signal });
    await waitUntil("the grandchild lives", () => findProcesses(marker).length === 2);
    stop.abort();
    expect(await running).toMatchObject({ end: "cancelled", exitCode: null });
    await waitUntil("nothing of it is left", () => findProcesses(marker).length === 0);
  });

  it("start nothing when it is cancelled already", async () => {
    const result = await run(["/bin/true"], { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ end: "cancelled", signal: null });
  });
});

describe("grandchildren", () => {
  it("of the group die with a child that ends by itself", async () => {
    const marker = randomUUID();
    const script = `${process.execPath} -e 'setInterval(() => {}, 1000)' ${marker} & echo done`;
    expect(await run(["/bin/bash", "-c", script])).toMatchObject({ exitCode: 0, stdout: { text: "done\n" } });
    await waitUntil("nothing of it is left", () => findProcesses(marker).length === 0);
  });

  it("that fled into a session of their own do not keep us waiting", async () => {
    const marker = randomUUID();
    const result = await run(program("leave-grandchild", marker, "end"));
    const pid = Number(result.stdout.text);
    endLater(pid, marker);
    expect(result).toMatchObject({ end: "exited", exitCode: 0 });
    // It still holds the pipe: that is the case meant.
    expect(findProcesses(marker)).toEqual([pid]);
  });
});
