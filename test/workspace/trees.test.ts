import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { isThere, link, listAll, makeTree, openPlace, write } from "./support.ts";

const base = {
  ".gitignore": "node_modules/\n*.log\n",
  "src/index.js": "export const one = 1;\n",
  "src/deep/a.js": "a\n",
  "bin/run": { kind: "file", content: "#!/bin/sh\n", executable: true },
  link: { kind: "link", target: "src/index.js" },
} as const;
const baseList = [".gitignore", "bin/", "bin/run", "link", "src/", "src/deep/", "src/deep/a.js", "src/index.js"];

test("a tree is exactly what its id says", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const opened = await repository.openTree(tree);
  expect(await listAll(opened.path)).toEqual(baseList);
  expect((await stat(join(opened.path, "bin/run"))).mode & 0o100).toBe(0o100);
  expect((await stat(join(opened.path, "src/index.js"))).mode & 0o111).toBe(0);
});

test("a reused tree keeps nothing of what was planted in it", async () => {
  const { repository, mirror, workspace } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const first = await repository.openTree(tree);
  const at = (path: string): string => join(first.path, path);
  await write(first.path, "node_modules/.bin/vitest", "#!/bin/sh\nexit 0\n", 0o755);
  await write(first.path, "src/deep/.git/config", "[core]\n");
  await write(first.path, ".git/config", "[core]\n");
  await write(first.path, "src/.git", "gitdir: /tmp\n");
  await write(first.path, "src/new.js", "planted");
  await write(first.path, "locked/inner/file", "planted");
  await chmod(at("locked/inner"), 0o000);
  await chmod(at("locked"), 0o000);
  await write(first.path, "src/readonly/file", "planted");
  await chmod(at("src/readonly"), 0o500);
  await chmod(at("src/deep"), 0o000);
  await rm(at("link"));
  await mkdir(at("link"));
  await write(first.path, "link/x", "planted");
  await rm(at("bin"), { recursive: true });
  await symlink("/etc", at("bin"));
  await rm(at("src/index.js"));
  execFileSync("mkfifo", [at("src/index.js")]);
  await chmod(at("."), 0o500);
  await first.release();

  const second = await repository.openTree(tree);
  expect(second.path).toBe(first.path);
  expect(await listAll(second.path)).toEqual(baseList);
  expect(await readFile(at("src/index.js"), "utf8")).toBe("export const one = 1;\n");
  expect((await stat(at("src/deep"))).mode & 0o700).toBe(0o700);
  await workspace.idle();
  expect(await listAll(join(second.path, "../../trash"))).toEqual([]);
});

test("content changed behind an unchanged size and time is written anew", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const first = await repository.openTree(tree);
  const file = join(first.path, "src/index.js");
  const before = await stat(file);
  await writeFile(file, "export const one = 2;\n");
  await utimes(file, before.atime, before.mtime);
  await first.release();
  const second = await repository.openTree(tree);
  expect(await readFile(join(second.path, "src/index.js"), "utf8")).toBe("export const one = 1;\n");
});

test("an unchanged file is not written again", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const other = await makeTree(mirror, { ...base, "src/deep/a.js": "b\n", "src/file/inside": "x" });
  const first = await repository.openTree(tree);
  const inode = (await stat(join(first.path, "src/index.js"))).ino;
  await first.release();
  const second = await repository.openTree(other.tree);
  expect(second.path).toBe(first.path);
  expect((await stat(join(second.path, "src/index.js"))).ino).toBe(inode);
  expect(await readFile(join(second.path, "src/deep/a.js"), "utf8")).toBe("b\n");
  await second.release();
  const third = await repository.openTree(tree);
  expect(await listAll(third.path)).toEqual(baseList);
});

test("no attribute of a tree converts or filters a byte", async () => {
  const { repository, mirror } = await openPlace();
  const content = "one\r\ntwo\n$Id$\n";
  const { tree } = await makeTree(mirror, {
    ".gitattributes":
      "[attr]odd text eol=crlf\n* text eol=crlf ident filter=lfs working-tree-encoding=UTF-16\n*.b odd\n",
    "src/.gitattributes": "* text eol=crlf working-tree-encoding=UTF-16 ident\n",
    "a.txt": content,
    "x.b": content,
    "src/b.txt": content,
    "large.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
  });
  const opened = await repository.openTree(tree);
  for (const path of ["a.txt", "x.b", "src/b.txt"]) {
    expect(await readFile(join(opened.path, path), "utf8")).toBe(content);
  }
  expect(await readFile(join(opened.path, "large.bin"), "utf8")).toMatch(/^version https/);
  expect(await repository.readCandidate(opened, tree)).toEqual({ tree, breaches: [] });
});

test("a submodule is an empty folder", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, {
    ".gitmodules": '[submodule "lib"]\n\tpath = lib\n\turl = https://example.com/x\n',
    lib: { kind: "submodule", commit: "1".repeat(40) },
  });
  const first = await repository.openTree(tree);
  expect(await listAll(first.path)).toEqual([".gitmodules", "lib/"]);
  await write(first.path, "lib/.git/HEAD", "ref: refs/heads/main\n");
  await write(first.path, "lib/file", "x");
  await first.release();
  const second = await repository.openTree(tree);
  expect(await listAll(second.path)).toEqual([".gitmodules", "lib/"]);
});

test("trees in use at once are different ones, and the number is bounded", async () => {
  const { repository, mirror } = await openPlace({ treesMax: 2, waitSeconds: 0.05 });
  const { tree } = await makeTree(mirror, base);
  const [one, two] = await Promise.all([repository.openTree(tree), repository.openTree(tree)]);
  expect(one.path).not.toBe(two.path);
  await expect(repository.openTree(tree)).rejects.toMatchObject({ code: "trees-busy" });
  await one.release();
  await one.release();
  const three = await repository.openTree(tree);
  expect(three.path).toBe(one.path);
  await expect(repository.openTree(tree)).rejects.toMatchObject({ code: "trees-busy" });
});

test("who waits gets the tree that is given back", async () => {
  const { repository, mirror } = await openPlace({ treesMax: 1, waitSeconds: 20 });
  const { tree } = await makeTree(mirror, base);
  const one = await repository.openTree(tree);
  const others = [repository.openTree(tree), repository.openTree(tree)];
  await one.release();
  for (const other of others) await (await other).release();
  expect(await listAll(one.path)).toEqual(baseList);
});

test("a tree left by a crash is taken back; one that a living process holds is not", async () => {
  const { repository, mirror, dataFolder } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const held = await repository.openTree(tree);
  const again = await openWorkspace(dataFolder).repository("17");
  const beside = await again.openTree(tree);
  expect(beside.path).not.toBe(held.path);
  await beside.release();
  // As a crash in the middle of a checkout leaves it: a dead holder, a lock of git, half a tree.
  await writeFile(`${held.path}.lock`, `${process.pid} 1`);
  await writeFile(`${held.path}.index.lock`, "half");
  await rm(join(held.path, "src"), { recursive: true });
  const afterwards = await (await openWorkspace(dataFolder).repository("17")).openTree(tree);
  expect(afterwards.path).toBe(held.path);
  expect(await listAll(afterwards.path)).toEqual(baseList);
});

test("a broken index or a lost folder is replaced", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const first = await repository.openTree(tree);
  await first.release();
  await writeFile(`${first.path}.index`, "not an index");
  const second = await repository.openTree(tree);
  expect(await listAll(second.path)).toEqual(baseList);
  await second.release();
  await rename(second.path, `${second.path}.gone`);
  const third = await repository.openTree(tree);
  expect(await listAll(third.path)).toEqual(baseList);
});

test("folders nested deeper than a path can be long are removed", async () => {
  const { repository, mirror, workspace } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const first = await repository.openTree(tree);
  const nest =
    "import os,sys\nos.chdir(sys.argv[1])\nfor i in range(40):\n os.mkdir('d'*200)\n os.chdir('d'*200)\nopen('f','w')";
  execFileSync("python3", ["-c", nest, first.path]);
  const candidate = await repository.readCandidate(first, tree);
  expect(candidate.tree).toBe(tree);
  expect(candidate.breaches).toMatchObject([{ kind: "special-file" }]);
  await first.release();
  const second = await repository.openTree(tree);
  expect(await listAll(second.path)).toEqual(baseList);
  await workspace.idle();
  expect(await listAll(join(second.path, "../../trash"))).toEqual([]);
});

test("a tree with very many strays is replaced as a whole", async () => {
  const { repository, mirror, workspace } = await openPlace();
  const { tree } = await makeTree(mirror, base);
  const first = await repository.openTree(tree);
  execFileSync("bash", ["-c", 'cd "$1" && seq 1 3500 | xargs touch', "bash", first.path]);
  await link(first.path, "src/l", "/");
  await first.release();
  const second = await repository.openTree(tree);
  expect(await listAll(second.path)).toEqual(baseList);
  await workspace.idle();
  expect(await isThere("/etc")).toBe(true);
});
