import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Files, makeTree, openPlace } from "./support.ts";

const before: Files = {
  a: "one\ntwo\n",
  gone: "x\n",
  file: "becomes a folder\n",
  "folder/x": "becomes a file\n",
  bin: { kind: "file", content: Buffer.from([0, 255, 1]) },
  link: { kind: "link", target: "a" },
  crlf: "a\r\nb\r\n",
};
const after: Files = {
  a: "one\ntwo",
  "file/y": "now a folder\n",
  folder: "now a file\n",
  bin: { kind: "file", content: Buffer.from([0, 254, 1]), executable: true },
  link: "now a file\n",
  crlf: "a\r\nb \r\n\r\n",
  empty: "",
  'x\n"y\t b': "odd\n",
};

test("a patch makes the same tree on another machine", async () => {
  const here = await openPlace();
  const there = await openPlace();
  const base = await makeTree(here.mirror, before);
  const head = await makeTree(here.mirror, after);
  const patch = await here.repository.exportPatch(base.tree, head.tree);
  expect((await makeTree(there.mirror, before)).tree).toBe(base.tree);
  expect(await there.repository.has(head.tree)).toBe(false);
  await there.repository.importPatch(base.tree, patch, head.tree);
  const opened = await there.repository.openTree(head.tree);
  expect(await there.repository.readCandidate(opened, base.tree)).toEqual({ tree: head.tree, breaches: [] });
});

test("no change is an empty patch", async () => {
  const { repository, mirror } = await openPlace();
  const base = await makeTree(mirror, before);
  const patch = await repository.exportPatch(base.tree, base.tree);
  expect(gunzipSync(patch)).toHaveLength(0);
  await repository.importPatch(base.tree, patch, base.tree);
});

test("a damaged patch is refused, and leaves nothing behind", async () => {
  const { repository, mirror } = await openPlace();
  const base = await makeTree(mirror, before);
  const head = await makeTree(mirror, after);
  const patch = await repository.exportPatch(base.tree, head.tree);
  await expect(repository.importPatch(base.tree, gzipSync(""), head.tree)).rejects.toMatchObject({
    code: "patch-mismatch",
  });
  const other = await makeTree(mirror, { a: "x" });
  await expect(repository.importPatch(other.tree, patch, head.tree)).rejects.toMatchObject({ code: "git-failed" });
  await expect(repository.importPatch(base.tree, new Uint8Array([1, 2]), head.tree)).rejects.toThrow();
});

test("changed entries are what the Git Data API needs", async () => {
  const { repository, mirror } = await openPlace();
  const base = await makeTree(mirror, before);
  const head = await makeTree(mirror, after);
  const entries = await repository.changedEntries(base.tree, head.tree);
  expect(entries.map((entry) => `${entry.mode} ${entry.path} ${entry.blob === null ? "gone" : "there"}`)).toEqual([
    "100644 a there",
    "100755 bin there",
    "100644 crlf there",
    "100644 empty there",
    "100644 file gone",
    "100644 file/y there",
    "100644 folder there",
    "100644 folder/x gone",
    "100644 gone gone",
    "100644 link there",
    '100644 x\n"y\t b there',
  ]);
  const blob = entries.find((entry) => entry.path === "bin")?.blob ?? "";
  expect([...(await repository.readBlob(blob))]).toEqual([0, 254, 1]);
  const odd = await makeTree(mirror, { "f\u00ff": "x" });
  await expect(repository.changedEntries(base.tree, odd.tree)).rejects.toMatchObject({ code: "name-not-text" });
});

test("a file is read by name, and no link is followed", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, {
    "docs/GUIDE.md": "text\n",
    "CLAUDE.md": { kind: "link", target: "docs/GUIDE.md" },
    linked: { kind: "link", target: "docs" },
    "odd [x]*.md": "odd\n",
    lib: { kind: "submodule", commit: "1".repeat(40) },
  });
  const read = async (path: string) => {
    const bytes = await repository.readFile(tree, path);
    return bytes === null ? null : Buffer.from(bytes).toString("utf8");
  };
  expect(await read("docs/GUIDE.md")).toBe("text\n");
  expect(await read("odd [x]*.md")).toBe("odd\n");
  for (const path of ["CLAUDE.md", "linked/GUIDE.md", "lib", "docs", "docs/", "../x", "/etc/passwd", "", "none", "*"]) {
    expect([path, await read(path)]).toEqual([path, null]);
  }
});
