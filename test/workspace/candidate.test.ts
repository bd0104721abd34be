import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { link, listAll, listObjects, makeTree, openPlace, type Place, write } from "./support.ts";

const base = {
  ".gitignore": "node_modules/\n*.log\n",
  "README.md": "# Read\n",
  "src/index.js": "export const one = 1;\n",
  "kept.log": "tracked although ignored\n",
  "bin/run": { kind: "file", content: "#!/bin/sh\n", executable: true },
  link: { kind: "link", target: "src/index.js" },
} as const;

async function open(place: Place) {
  const { tree } = await makeTree(place.mirror, base);
  const opened = await place.repository.openTree(tree);
  return { tree, opened, root: opened.path, read: () => place.repository.readCandidate(opened, tree) };
}

test("an untouched tree is its own candidate", async () => {
  const { tree, read } = await open(await openPlace());
  expect(await read()).toEqual({ tree, breaches: [] });
});

test("what would be committed is exactly what lies there, ignored files left out", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(root, "src/index.js", "export const one = 2;\n");
  await write(root, "src/new/deep.js", "new\n");
  await write(root, "empty", "");
  await write(root, "crlf.txt", "a\r\nb");
  await write(root, "kept.log", "changed\n");
  await write(root, "other.log", "ignored\n");
  await write(root, "node_modules/.bin/vitest", "forged", 0o755);
  await rename(join(root, "README.md"), join(root, "readme.md"));
  await chmod(join(root, "bin/run"), 0o644);
  await chmod(join(root, "src/new/deep.js"), 0o755);
  await rm(join(root, "link"));
  await link(root, "link", "/etc/passwd");
  await link(root, "dangling", "nowhere");
  const expected = await makeTree(place.mirror, {
    ".gitignore": base[".gitignore"],
    "readme.md": "# Read\n",
    "src/index.js": "export const one = 2;\n",
    "src/new/deep.js": { kind: "file", content: "new\n", executable: true },
    empty: "",
    "crlf.txt": "a\r\nb",
    "kept.log": "changed\n",
    "bin/run": "#!/bin/sh\n",
    link: { kind: "link", target: "/etc/passwd" },
    dangling: { kind: "link", target: "nowhere" },
  });
  expect(await read()).toEqual({ tree: expected.tree, breaches: [] });
  // A second reading, after a later turn, starts from the same facts.
  await write(root, "src/index.js", base["src/index.js"]);
  await rm(join(root, "src/new"), { recursive: true });
  const names = await listObjects(place.mirror, (await read()).tree);
  expect(names).toContain("100644 src/index.js");
  expect(names).not.toContain("100755 src/new/deep.js");
});

test("files and folders may change places", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await rm(join(root, "src"), { recursive: true });
  await write(root, "src", "a file now");
  await rm(join(root, "README.md"));
  await write(root, "README.md/part", "a folder now");
  await rm(join(root, "link"));
  await write(root, "link", "a file now");
  expect(await listObjects(place.mirror, (await read()).tree)).toEqual([
    "100644 .gitignore",
    "100644 README.md/part",
    "100755 bin/run",
    "100644 kept.log",
    "100644 link",
    "100644 src",
  ]);
});

test("odd names are kept byte by byte", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  const odd = [
    "a b",
    "tab\tx",
    'quote"x',
    "x b/y",
    "grün/漢字.txt",
    "line\nbreak",
    "cr\r",
    "-dash",
    ":(top)x",
    "*",
    "\\",
    "a\\b",
  ];
  for (const path of odd) await write(root, path, `content of ${path}`);
  const files = Object.fromEntries(odd.map((path) => [Buffer.from(path).toString("latin1"), `content of ${path}`]));
  const expected = await makeTree(place.mirror, { ...base, ...files });
  expect(await read()).toEqual({ tree: expected.tree, breaches: [] });
});

test("names that GitHub or git can not carry are left out and told", async () => {
  const place = await openPlace();
  const { root, tree, read } = await open(place);
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), "x");
  await write(root, "git~1", "x");
  await write(root, ".GIT/config", "x");
  await write(root, "src/.g\u200cit/config", "x");
  await link(root, ".gitmodules", "README.md");
  const candidate = await read();
  expect(candidate.tree).toBe(tree);
  expect(candidate.breaches.map((breach) => breach.path).sort()).toEqual(
    [".GIT/config", ".gitmodules", "f\ufffd", "git~1", "src/.g\u200cit/config"].sort(),
  );
});

test("FIFOs and oversize files are left out and told, ignored ones are not", async () => {
  const place = await openPlace();
  const { root, tree, read } = await open(place);
  execFileSync("mkfifo", [join(root, "pipe")]);
  await mkdir(join(root, "node_modules"));
  execFileSync("mkfifo", [join(root, "node_modules/pipe"), join(root, "x.log")]);
  await rm(join(root, "README.md"));
  execFileSync("mkfifo", [join(root, "README.md")]);
  await write(root, "large", Buffer.alloc(20 * 1024 * 1024 + 1));
  const candidate = await read();
  expect(candidate.tree).toBe(tree);
  expect(candidate.breaches.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
    "special-file README.md",
    "special-file pipe",
    "too-large large",
  ]);
});

test("a FIFO under a name that git opens does not stop the reading", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  execFileSync("mkfifo", [join(root, "src/.gitignore"), join(root, "src/.gitattributes"), join(root, ".gitmodules")]);
  await write(root, "src/a.js", "new");
  const candidate = await read();
  expect(await listObjects(place.mirror, candidate.tree)).toContain("100644 src/a.js");
  expect(candidate.breaches.map((breach) => breach.path).sort()).toEqual([
    ".gitmodules",
    "src/.gitattributes",
    "src/.gitignore",
  ]);
});

test("the agent's own repository and commits play no part", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(root, "src/index.js", "changed\n");
  const run = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=octo", "-c", "user.email=octo@example.com", ...args], { cwd: root });
  };
  run("init", "--quiet");
  run("add", "--all", "--force");
  run("commit", "--quiet", "-m", "by itself");
  const expected = await makeTree(place.mirror, { ...base, "src/index.js": "changed\n" });
  expect(await read()).toEqual({ tree: expected.tree, breaches: [] });
});

test("a nested git folder is told, stays where it is, and hides nothing", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(root, "app/index.js", "app\n");
  execFileSync("git", ["init", "--quiet", join(root, "app")]);
  await write(root, "linked/.git", "gitdir: ../app/.git\n");
  await write(root, "linked/x.js", "x\n");
  await write(root, "node_modules/dep/.git/HEAD", "ref: refs/heads/main\n");
  await mkdir(join(root, "hollow/.git"), { recursive: true });
  const expected = await makeTree(place.mirror, { ...base, "app/index.js": "app\n", "linked/x.js": "x\n" });
  const candidate = await read();
  expect(candidate.tree).toBe(expected.tree);
  expect(candidate.breaches.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
    "submodule app/.git",
    "submodule linked/.git",
  ]);
  expect(await listAll(root)).toEqual(expect.arrayContaining(["app/.git/HEAD", "linked/.git", "hollow/.git/"]));
});

test("folders and files that nobody may read are read all the same", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(root, "locked/inner/file", "x\n");
  await write(root, "src/secret", "y\n", 0o000);
  await chmod(join(root, "locked/inner"), 0o000);
  await chmod(join(root, "locked"), 0o000);
  await chmod(join(root, "src"), 0o000);
  const expected = await makeTree(place.mirror, { ...base, "locked/inner/file": "x\n", "src/secret": "y\n" });
  expect(await read()).toEqual({ tree: expected.tree, breaches: [] });
});

test("a folder replaced by a link out of the tree is a link, and nothing behind it is read", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(place.dataFolder, "outside/index.js", "outside\n");
  await rm(join(root, "src"), { recursive: true });
  await symlink(join(place.dataFolder, "outside"), join(root, "src"));
  const names = await listObjects(place.mirror, (await read()).tree);
  expect(names).toContain("120000 src");
  expect(names.some((name) => name.includes("index.js"))).toBe(false);
});

test("submodules stay as the base has them", async () => {
  const place = await openPlace();
  const lib = { kind: "submodule", commit: "1".repeat(40) } as const;
  const { tree } = await makeTree(place.mirror, { ...base, lib });
  const opened = await place.repository.openTree(tree);
  await write(opened.path, "lib/file", "x");
  const filled = await place.repository.readCandidate(opened, tree);
  expect(filled).toMatchObject({ tree, breaches: [{ kind: "submodule", path: "lib" }] });

  await rm(join(opened.path, "lib"), { recursive: true });
  const without = await makeTree(place.mirror, base);
  expect(await place.repository.readCandidate(opened, tree)).toEqual({ tree: without.tree, breaches: [] });

  await mkdir(join(opened.path, "lib"));
  const foreign = await place.repository.readCandidate(opened, without.tree);
  expect(foreign).toMatchObject({ tree: without.tree, breaches: [{ kind: "submodule", path: "lib" }] });
});

test("a change of the ignore rules is part of the change", async () => {
  const place = await openPlace();
  const { root, read } = await open(place);
  await write(root, ".gitignore", "node_modules/\n");
  await write(root, "note.log", "now seen\n");
  const names = await listObjects(place.mirror, (await read()).tree);
  expect(names).toContain("100644 note.log");
});
