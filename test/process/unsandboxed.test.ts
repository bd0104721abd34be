import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BoxRequest } from "../../src/process/sandbox.ts";
import { unsandboxed } from "../../src/process/unsandboxed.ts";
import { findProcesses, waitUntil } from "./process-list.ts";

let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "gavel-unsandboxed-"));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function request(script: string, options: Partial<BoxRequest> = {}): BoxRequest {
  return {
    profile: "gate",
    workspace,
    mounts: [],
    argv: ["bash", "-c", script],
    workingDirectory: "",
    env: {},
    stdin: null,
    timeoutSeconds: 20,
    outputBytesMax: 10_000,
    ...options,
  };
}

it("runs in the workspace, with our Node and none of our variables", async () => {
  process.env["GAVEL_TEST_SECRET"] = "hidden";
  mkdirSync(join(workspace, "sub"));
  const { stdout } = await unsandboxed().run(
    request("pwd; node -p process.version; env", { workingDirectory: "sub", env: { ADDED: "yes" } }),
  );
  delete process.env["GAVEL_TEST_SECRET"];
  expect(stdout.text).toContain(`${realpathSync(workspace)}/sub\n${process.version}\n`);
  expect(stdout.text).toContain("ADDED=yes\n");
  expect(stdout.text).not.toContain("GAVEL_TEST_SECRET");
  expect(unsandboxed()).toMatchObject({ kind: "none" });
  expect(unsandboxed().workspacePath(workspace)).toBe(realpathSync(workspace));
});

it("gives each command a home of its own and takes it away again", async () => {
  const { stdout } = await unsandboxed().run(request("touch ~/a $TMPDIR/b && echo -n $HOME"));
  expect(stdout.text).toContain("gavel-home-");
  expect(existsSync(stdout.text)).toBe(false);
});

it("ends the process group on a cancel", async () => {
  const marker = randomUUID();
  const stop = new AbortController();
  const running = unsandboxed().run(
    request(`node -e 'setInterval(() => {}, 1000)' ${marker} & wait`, { signal: stop.signal }),
  );
  await waitUntil("it runs", () => findProcesses(marker).length >= 2);
  stop.abort();
  expect(await running).toMatchObject({ end: "cancelled" });
  await waitUntil("it is gone", () => findProcesses(marker).length === 0);
});

it("copies mounts below the workspace that are read, where nothing is yet", async () => {
  const source = join(workspace, "source");
  mkdirSync(source);
  writeFileSync(join(source, "a.txt"), "a");
  const mounts = [
    { source, target: "/workspace/copied", access: "read" },
    { source, target: "/elsewhere", access: "read" },
  ] as const;
  const { stdout } = await unsandboxed().run(
    request("cat copied/a.txt; echo b > copied/a.txt; ls /elsewhere", { mounts }),
  );
  expect(stdout.text).toBe("a");
  expect(readFileSync(join(source, "a.txt"), "utf8")).toBe("a");
});

it("refuses a working folder that is missing or outside", async () => {
  symlinkSync(tmpdir(), join(workspace, "out"));
  for (const workingDirectory of ["nowhere", "out", "../.."]) {
    expect(await unsandboxed().run(request("true", { workingDirectory }))).toMatchObject({ end: "not-started" });
  }
});

it("carries a conversation", async () => {
  const box = unsandboxed().open(request('read -r line; echo "got $line"; exit 2'));
  const replies = box.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  box.stdin.write("one\n");
  expect((await replies.next()).value).toBe("got one\n");
  expect(await box.exited).toEqual({ exitCode: 2, stderr: "" });
});
