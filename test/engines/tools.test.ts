import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toolServerFile } from "../../src/engines/builtin/box.ts";
import { editTool, readTool, writeTool } from "../../src/engines/builtin/tools/files.ts";
import { listTool } from "../../src/engines/builtin/tools/list.ts";
import { runTool } from "../../src/engines/builtin/tools/run.ts";
import { searchTool } from "../../src/engines/builtin/tools/search.ts";

let root = "";

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gavel-tools-")));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);
const get = (name: string) => readFile(join(root, name), "utf8");
const search = (input: object, seconds?: number) =>
  searchTool(root, { ...input }, [process.execPath, toolServerFile, "search"], seconds);

describe("read", () => {
  it("says what is left and how to go on", async () => {
    await put("a", Array.from({ length: 3000 }, (_, n) => `line ${n + 1}`).join("\n"));
    const first = await readTool(root, { path: "a" });
    expect(first).toMatch(/^ {4}1\tline 1\n/);
    expect(first).toMatch(/\[lines 1 to 400 of 3000; go on with offset 401\]$/);
    expect(await readTool(root, { path: "a", offset: 2999 })).toBe(
      " 2999\tline 2999\n 3000\tline 3000\n[lines 2999 to 3000 of 3000]",
    );
    const most = await readTool(root, { path: "a", limit: 3000 });
    expect(most.length).toBeLessThan(16_000);
    expect(most).toMatch(/go on with offset \d+\]$/);
    await expect(readTool(root, { path: "a", offset: 3001 })).rejects.toThrow("only 3000 lines");
  });

  it.each([
    ["none", "does not exist"],
    [".", "is a folder"],
    ["bytes", "no UTF-8 text"],
    ["nul", "no UTF-8 text"],
    ["huge", "too large"],
    ["a\0b", "NUL"],
  ])("refuses %j", async (path, why) => {
    await put("bytes", Uint8Array.from([0x66, 0xff]));
    await put("nul", "a\0b");
    await put("huge", "");
    const { truncate } = await import("node:fs/promises");
    await truncate(join(root, "huge"), 11 * 1024 * 1024);
    await expect(readTool(root, { path })).rejects.toThrow(why);
  });

  it("shows an empty file as empty, and takes no other kind of input", async () => {
    await put("a", "");
    expect(await readTool(root, { path: "a" })).toBe("a is empty");
    await expect(readTool(root, { path: 1 })).rejects.toThrow("path: a text is needed");
    await expect(readTool(root, {})).rejects.toThrow("path: a text is needed");
  });
});

describe("edit", () => {
  it("keeps everything else as it was: mark, line ends, mode", async () => {
    await put("a", "\uFEFFone\r\ntwo\r\nthree");
    const { chmod } = await import("node:fs/promises");
    await chmod(join(root, "a"), 0o755);
    expect(await editTool(root, { path: "a", old: "one\ntwo", new: "1\n$& $1\n2" })).toBe("a: replaced at line 1");
    expect(await get("a")).toBe("\uFEFF1\r\n$& $1\r\n2\r\nthree");
    expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o755);
  });

  it.each([
    [{ old: "x", new: "y" }, "is not in it"],
    [{ old: "a", new: "y" }, "3 times or overlaps"],
    [{ old: "aba", new: "y" }, "overlaps"],
    [{ old: "", new: "y" }, "use write"],
    [{ old: "b", new: "b" }, "are the same"],
  ])("refuses %j", async (input, why) => {
    await put("a", "ababa");
    await expect(editTool(root, { path: "a", ...input })).rejects.toThrow(why);
    expect(await get("a")).toBe("ababa");
  });
});

describe("write", () => {
  it("goes through a link only where it stays inside", async () => {
    await put("target", "before");
    await symlink("target", join(root, "inside"));
    expect(await writeTool(root, { path: "inside", content: "after\n" })).toBe("inside: written anew, 2 lines");
    expect(await get("target")).toBe("after\n");
    await mkdir(join(root, "folder"));
    await expect(writeTool(root, { path: "folder", content: "" })).rejects.toThrow("is not a file");
    await expect(writeTool(root, { path: "target/x", content: "" })).rejects.toThrow();
  });

  it("takes an absolute path of the workspace", async () => {
    expect(await writeTool(root, { path: join(root, "..a"), content: "" })).toBe("..a: made, 1 lines");
  });
});

describe("list and search", () => {
  beforeEach(async () => {
    for (const folder of ["src/deep", "node_modules/x", ".git"]) await mkdir(join(root, folder), { recursive: true });
    await put("src/deep/b.ts", "needle [x]\n");
    await put("node_modules/x/c.ts", "needle\n");
    await put(".git/config", "needle\n");
    await put("bytes", Uint8Array.from([0, 1, 2]));
    await symlink("/etc", join(root, "src/etc"));
  });

  it("lists in order, without following links", async () => {
    expect(await listTool(root, {})).toBe(".git/\nbytes\nnode_modules/\nsrc/\n");
    expect(await listTool(root, { path: "src", recursive: true })).toBe("deep/\ndeep/b.ts\netc (link)\n");
    await expect(listTool(root, { path: "bytes" })).rejects.toThrow("is not a folder");
  });

  it("finds plain text and patterns, and looks into passed-over folders only by name", async () => {
    expect(await search({ pattern: "needle [x]" })).toBe("src/deep/b.ts:1: needle [x]\n");
    expect(await search({ pattern: "needle [x]", regex: true })).toBe("nothing matches");
    expect(await search({ pattern: "^need", regex: true })).toBe("src/deep/b.ts:1: needle [x]\n");
    expect(await search({ pattern: "needle", path: "node_modules" })).toBe("node_modules/x/c.ts:1: needle\n");
    expect(await search({ pattern: "needle", path: "src/deep/b.ts" })).toBe("src/deep/b.ts:1: needle [x]\n");
    await expect(search({ pattern: "(", regex: true })).rejects.toThrow("no regular expression");
  });

  it("ends a pattern that never ends, and leaves out what is too much", async () => {
    await put("a", `${"a".repeat(50)}!`);
    await expect(search({ pattern: "^(a+)+$", regex: true }, 1)).rejects.toThrow("cut off after 1 seconds");
    await put("a", "needle and more\n".repeat(500));
    const found = await search({ pattern: "needle" });
    expect(found).toMatch(/\[more is left out; narrow the search\]$/);
    expect(found.split("\n").length).toBe(201);
  });
});

describe("run", () => {
  it("tells how a command ended", async () => {
    expect(await runTool(root, { command: "true" })).toBe("[exit code 0]");
    expect(await runTool(root, { command: "kill -9 $$" })).toBe("[ended by SIGKILL]");
    expect(await runTool(root, { command: "cat; pwd" })).toBe(`${root}\n[exit code 0]`);
  });

  it("shows a progress bar's last state, in time that does not grow with the line", async () => {
    const command = "printf 'a\\r\\nb1\\rb2\\r\\n'; head -c 60000 /dev/zero | tr '\\0' y";
    expect(await runTool(root, { command })).toMatch(/^a\nb2\ny+\n… /);
  });
});
