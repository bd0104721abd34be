import * as fc from "fast-check";
import { expect, test } from "vitest";
import { emptyTree } from "../../src/workspace/object-name.ts";
import { type Files, makeTree, openPlace } from "./support.ts";

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
const lines = (count: number, word = "line"): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");

async function diffOf(before: Files, after: Files) {
  const { repository, mirror } = await openPlace();
  const base = await makeTree(mirror, before);
  const head = await makeTree(mirror, after);
  const diff = await repository.diff(base.tree, head.tree);
  return { diff, files: Object.fromEntries(diff.files.map((file) => [file.path, file])), repository, base, head };
}

test("each kind of change is named as what it is", async () => {
  const { diff, files } = await diffOf(
    {
      modified: "a\nb\n",
      deleted: "gone\n",
      "old name": lines(30),
      mode: "#!/bin/sh\n",
      becomesLink: "text\n",
      binary: Buffer.from([0, 1, 2]).toString("latin1"),
      noEnd: "a",
      crlf: "a\r\nb\r\n",
      same: "same\n",
    },
    {
      modified: "a\nc\n",
      "new name": `${lines(30)}more\n`,
      mode: { kind: "file", content: "#!/bin/sh\n", executable: true },
      becomesLink: { kind: "link", target: "modified" },
      binary: Buffer.from([0, 1, 3]).toString("latin1"),
      noEnd: "b",
      crlf: "a\r\nc\r\n",
      same: "same\n",
      empty: "",
      added: "\ufeffone\n",
    },
  );
  expect(diff.files.map((file) => `${file.status} ${file.path}`)).toEqual([
    "added added",
    "type-changed becomesLink",
    "modified binary",
    "modified crlf",
    "deleted deleted",
    "added empty",
    "modified mode",
    "modified modified",
    "renamed new name",
    "modified noEnd",
  ]);
  expect(files["modified"]).toMatchObject({
    added: 1,
    removed: 1,
    hunks: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    binary: false,
  });
  expect(files["deleted"]).toMatchObject({ blob: null, newMode: "000000", oldMode: "100644", removed: 1 });
  expect(files["new name"]).toMatchObject({ oldPath: "old name", added: 1, removed: 0 });
  expect(files["new name"]?.hunks).toContain("+more\n");
  expect(files["mode"]).toMatchObject({ oldMode: "100644", newMode: "100755", hunks: "", added: 0 });
  expect(files["becomesLink"]).toMatchObject({ newMode: "120000", added: 1, removed: 1 });
  expect(files["becomesLink"]?.hunks).toBe(
    "@@ -1 +0,0 @@\n-text\n@@ -0,0 +1 @@\n+modified\n\\ No newline at end of file\n",
  );
  expect(files["binary"]).toMatchObject({ binary: true, hunks: "", added: 0, removed: 0 });
  expect(files["noEnd"]?.hunks).toBe(
    "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
  );
  expect(files["crlf"]?.hunks).toBe("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  expect(files["empty"]).toMatchObject({ hunks: "", added: 0, binary: false });
  expect(files["added"]?.hunks).toBe("@@ -0,0 +1 @@\n+\ufeffone\n");
  expect(diff.added).toBe(diff.files.reduce((sum, file) => sum + file.added, 0));
});

test("content that looks like a header is content", async () => {
  const trap = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n";
  const { files } = await diffOf({ a: `one\n${trap}`, z: "1\n" }, { a: `two\n${trap}`, z: "2\n" });
  expect(files["a"]?.hunks).toBe("@@ -1,4 +1,4 @@\n-one\n+two\n diff --git a/x b/x\n --- a/x\n +++ b/x\n");
  expect(files["z"]?.hunks).toBe("@@ -1 +1 @@\n-1\n+2\n");
});

test("no attribute of a tree hides or converts a change", async () => {
  const attributes = "*.js -diff linguist-generated binary\n*.txt diff=odd filter=odd text eol=crlf\n";
  const { files } = await diffOf(
    { ".gitattributes": attributes, "a.js": "1\n", "b.txt": "1\n" },
    { ".gitattributes": attributes, "a.js": "2\n", "b.txt": "2\n" },
  );
  expect(files["a.js"]).toMatchObject({ binary: false, hunks: "@@ -1 +1 @@\n-1\n+2\n" });
  expect(files["b.txt"]).toMatchObject({ hunks: "@@ -1 +1 @@\n-1\n+2\n" });
});

test("a submodule that moves is shown as such", async () => {
  const at = (digit: string) => ({ kind: "submodule", commit: digit.repeat(40) }) as const;
  const { files } = await diffOf({ lib: at("1") }, { lib: at("2") });
  expect(files["lib"]).toMatchObject({ oldMode: "160000", newMode: "160000", blob: "2".repeat(40) });
  expect(files["lib"]?.hunks).toContain(`+Subproject commit ${"2".repeat(40)}`);
});

test("a diff with the empty tree lists everything", async () => {
  const { repository, mirror } = await openPlace();
  const { tree } = await makeTree(mirror, { a: "1\n", "b/c": "2\n" });
  const diff = await repository.diff(emptyTree, tree);
  expect(diff).toMatchObject({ baseTree: emptyTree, headTree: tree, added: 2, removed: 0 });
  expect((await repository.diff(tree, tree)).files).toEqual([]);
});

const name = fc
  .array(fc.constantFrom("a", "b", " ", "\t", '"', "\\", "\n", "\r", "é", "漢", "-", ":", "*", " b", "x"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(""));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => latin1(parts.join("/")));
const content = fc.oneof(
  fc.constantFrom("", "a\n", "a", "a\r\n", "\u0000bin", "--- a\n", "+++ b\n", "diff --git a/a b/a\n", lines(20)),
  fc
    .array(fc.constantFrom("a\n", "b\n", "c\r\n", " \n", "-- x\n", "@@ -1 +1 @@\n"), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("file" as const), content, executable: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("link" as const), target: fc.constantFrom("a", "/etc", "../x") }),
  },
);

/** Without names that would be both a file and a folder: fast-import takes the last, which is as good. */
const files = fc
  .array(fc.tuple(path, entry), { minLength: 1, maxLength: 8 })
  .map((pairs): Files => Object.fromEntries(pairs));

test("random trees: names, counts and patches survive", async () => {
  const { repository, mirror } = await openPlace();
  await fc.assert(
    fc.asyncProperty(files, files, fc.boolean(), async (one, two, overlap) => {
      const base = await makeTree(mirror, one);
      const head = await makeTree(mirror, overlap ? { ...one, ...two } : two);
      const diff = await repository.diff(base.tree, head.tree);
      for (const file of diff.files) {
        const marks = file.hunks.split("\n");
        // Each hunk's lines by their marks: as many as git counted.
        const count = (mark: string): number => marks.filter((line) => line.startsWith(mark)).length;
        if (!file.binary) expect([file.path, count("+"), count("-")]).toEqual([file.path, file.added, file.removed]);
        if (file.blob !== null && file.newMode !== "120000") {
          expect(await repository.readFile(head.tree, file.path)).not.toBeNull();
        }
      }
      const entries = await repository.changedEntries(base.tree, head.tree);
      const told = new Set(
        diff.files.flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath])),
      );
      expect(new Set(entries.map((each) => each.path))).toEqual(told);

      const patch = await repository.exportPatch(base.tree, head.tree);
      await repository.importPatch(base.tree, patch, head.tree);
    }),
    { numRuns: 15, seed: 7 },
  );
}, 120_000);
