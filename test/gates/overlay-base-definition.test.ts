import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { overlayBaseDefinition, readBaseDefinition } from "../../src/gates/overlay-base-definition.ts";

let folder: string;
let tree: string;
let outside: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gavel-overlay-"));
  tree = join(folder, "tree");
  outside = join(folder, "outside");
  mkdirSync(tree);
  mkdirSync(outside);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (value: string): Uint8Array => Buffer.from(value);

it("writes the base's files, takes away what the base has not, keeps the right to run", async () => {
  writeFileSync(join(tree, "check"), "exit 0");
  chmodSync(join(tree, "check"), 0o755);
  writeFileSync(join(tree, "new.config.js"), "new");
  await overlayBaseDefinition(
    tree,
    new Map([
      ["check", text("exit 1")],
      ["deep/er/run.sh", text("#!/bin/sh\n")],
      ["new.config.js", null],
      ["never/there", null],
    ]),
  );
  expect(readFileSync(join(tree, "check"), "utf8")).toBe("exit 1");
  expect(lstatSync(join(tree, "check")).mode & 0o111).toBe(0o111);
  expect(lstatSync(join(tree, "deep/er/run.sh")).mode & 0o111).toBe(0o111);
  expect(existsSync(join(tree, "new.config.js"))).toBe(false);
});

it("never follows a link of the candidate", async () => {
  writeFileSync(join(outside, "file"), "untouched");
  symlinkSync(outside, join(tree, "scripts"));
  symlinkSync(join(outside, "file"), join(tree, "Makefile"));
  symlinkSync(outside, join(tree, "gone"));
  await overlayBaseDefinition(
    tree,
    new Map([
      ["scripts/file", text("base")],
      ["Makefile", text("base")],
      ["gone/file", null],
    ]),
  );
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("untouched");
  expect(readFileSync(join(tree, "scripts/file"), "utf8")).toBe("base");
  expect(lstatSync(join(tree, "Makefile")).isFile()).toBe(true);
});

it("refuses a path that is none of a tree", async () => {
  await expect(overlayBaseDefinition(tree, new Map([["../outside/file", text("x")]]))).rejects.toThrow("not a path");
});

const change = { overlay: [], scripts: ["package.json"], mark: [] };

it("puts the base's scripts into the candidate's manifest and leaves the rest", async () => {
  writeFileSync(
    join(tree, "package.json"),
    JSON.stringify({ type: "module", scripts: { test: "true" }, jest: { a: 1 } }),
  );
  const base = text(JSON.stringify({ scripts: { test: "node --test" }, dependencies: { old: "1" } }));
  const definition = await readBaseDefinition(tree, change, () => Promise.resolve(base));
  expect(JSON.parse(Buffer.from(definition.get("package.json") ?? []).toString())).toEqual({
    type: "module",
    scripts: { test: "node --test" },
  });
});

it("finds no difference where only dependencies changed", async () => {
  writeFileSync(join(tree, "package.json"), JSON.stringify({ scripts: { test: "x" }, dependencies: { a: "1" } }));
  const definition = await readBaseDefinition(tree, change, () => Promise.resolve(text('{"scripts":{"test":"x"}}')));
  expect(definition.size).toBe(0);
});

it.each([
  ["is no JSON", () => writeFileSync(join(tree, "package.json"), "{")],
  ["is a link", () => symlinkSync(join(outside, "file"), join(tree, "package.json"))],
  ["is gone", () => {}],
])("takes the base's whole manifest where the candidate's %s", async (_, spoil) => {
  writeFileSync(join(outside, "file"), '{"scripts":{"test":"true"}}');
  spoil();
  const base = text('{"scripts":{"test":"x"}}');
  const definition = await readBaseDefinition(tree, change, () => Promise.resolve(base));
  expect(definition.get("package.json")).toBe(base);
});
