import { describe, expect, it } from "vitest";
import type { ChangedFile } from "../../src/domain/diff.ts";
import { checkPolicy, policyLimits } from "../../src/gates/policy-gate.ts";

const free = { deny: [], allow: [] };

function changed(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    oldPath: null,
    status: "modified",
    oldMode: "100644",
    newMode: "100644",
    blob: "b1",
    binary: false,
    added: 1,
    removed: 0,
    hunks: "@@ -1 +1,2 @@\n a\n+b\n",
    ...more,
  };
}

function check(
  files: readonly ChangedFile[],
  options: { paths?: typeof free | { deny: string[]; allow: string[] }; blob?: Uint8Array } = {},
) {
  const blob = options.blob ?? Buffer.from("a\nb\n");
  return checkPolicy({ files, readBlob: () => Promise.resolve(blob), paths: options.paths ?? free });
}

describe("denied paths", () => {
  it.each([
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/CI.yml",
    ".github/gavel.yml",
    ".github/gavel/rubric.md",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "docs/codeowners",
    ".claude/settings.json",
    "packages/a/.claude/settings.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".opencode/agent.md",
    "opencode.json",
    "opencode.jsonc",
    ".mcp.json",
    ".cursor/rules/a.md",
    ".aider.conf.yml",
    ".husky/pre-commit",
    ".githooks/pre-push",
    ".pre-commit-config.yaml",
    ".gitmodules",
    ".gitconfig",
    "sub/.git/config",
    "sub/.GIT",
  ])("%s", async (path) => {
    const breaches = await check([changed(path)]);
    expect(breaches).toMatchObject([{ kind: "denied-path", path }]);
    expect(breaches[0]?.reason).toContain("only a person");
  });

  it.each([
    ".gitignore",
    "packages/a/.gitattributes",
    "src/.gitkeep",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".github/dependabot.yml",
    "src/workflows/ci.yml",
    "docs/CODEOWNERS.md",
    "src/claude/settings.json",
    "src/gavel.yml",
    "AGENTS.md",
  ])("not %s", async (path) => {
    expect(await check([changed(path)])).toEqual([]);
  });

  it("deleted, and moved away", async () => {
    const path = ".github/workflows/ci.yml";
    const gone = changed(path, { status: "deleted", blob: null, newMode: "000000", hunks: "" });
    const moved = changed("old-ci.yml", { status: "renamed", oldPath: path, hunks: "" });
    expect(await check([gone])).toMatchObject([{ kind: "denied-path", path }]);
    expect(await check([moved])).toMatchObject([{ kind: "denied-path", path }]);
  });

  it("of the configuration, and what it does not allow", async () => {
    const paths = { deny: ["infra/**"], allow: ["src/**", "infra/**"] };
    expect(await check([changed("src/a.ts")], { paths })).toEqual([]);
    expect(await check([changed("Infra/main.tf")], { paths })).toMatchObject([{ kind: "denied-path" }]);
    expect(await check([changed("README.md")], { paths })).toMatchObject([{ kind: "not-allowed-path" }]);
  });
});

describe("secrets", () => {
  // Put together here, so that this file holds none itself.
  const token = ["ghp", "_", "abcdefghijklmnopqrstuvwxyz0123456789"].join("");
  const key = ["wJalrXUtnFEMI/K7MDENG", "bPxRfiCYzKTQ2WVQ5N"].join("/");
  const hunks = (line: string): string => `@@ -10,2 +20,4 @@ f\n a\n-old\n+new\n+${line}\n b\n`;

  it.each([
    ["a token of GitHub", `const t = "${token}";`],
    ["a key of AWS", `aws_secret_access_key = "${key}"`],
    ["a password in an address", "https://user:hunter2hunter2@db.octo.test/"],
  ])("%s", async (_, line) => {
    const breaches = await check([changed("src/a.ts", { hunks: hunks(line) })]);
    expect(breaches).toMatchObject([{ kind: "secret", path: "src/a.ts" }]);
    expect(breaches[0]?.reason).toContain("line 22");
    for (const secret of [token, key, "hunter2"]) expect(JSON.stringify(breaches)).not.toContain(secret);
  });

  it.each(["# secretlint-disable", "// secretlint-disable", "/* secretlint-disable */"])(
    "that its writer turned the scanner off for: %s",
    async (line) => {
      const file = changed("a.ts", { hunks: `@@ -0,0 +1,3 @@\n+${line}\n+x = "${token}"\n+y\n` });
      expect(await check([file])).toMatchObject([{ kind: "secret" }]);
    },
  );

  it("over several lines", async () => {
    const begin = ["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ");
    const lines = [
      begin,
      ...Array.from({ length: 6 }, (_, i) => `MIIEow${i}${"Ab3".repeat(19)}`),
      begin.replace("BEGIN", "END"),
    ];
    const file = changed("key.pem", { hunks: `@@ -0,0 +1,8 @@\n${lines.map((line) => `+${line}\n`).join("")}` });
    expect(await check([file])).toMatchObject([{ kind: "secret", path: "key.pem" }]);
  });

  it("in a file that a NUL byte makes binary", async () => {
    const file = changed("data.bin", { binary: true, hunks: "" });
    const breaches = await check([file], { blob: Buffer.from(`\0${token}\n`) });
    expect(breaches).toMatchObject([{ kind: "secret", path: "data.bin" }]);
  });

  it("only in what is added", async () => {
    const file = changed("a.ts", { hunks: `@@ -1,2 +1,2 @@\n ${token}\n-t = "${token}"\n+t = process.env.T\n` });
    expect(await check([file])).toEqual([]);
  });
});

describe("size and number", () => {
  it("a file over the limit, and one that just fits", async () => {
    const file = changed("big.bin", { binary: true, hunks: "" });
    expect(await check([file], { blob: Buffer.alloc(policyLimits.fileBytesMax) })).toEqual([]);
    const breaches = await check([file], { blob: Buffer.alloc(20 * 1024 * 1024) });
    expect(breaches).toMatchObject([{ kind: "too-large", path: "big.bin" }]);
    expect(breaches[0]?.reason).toContain("20 MiB; the limit for one file is 5 MiB");
  });

  it("too many files, of which no more are read than the limit", async () => {
    const files = Array.from({ length: policyLimits.filesMax + 1 }, (_, index) => changed(`f${index}`));
    let read = 0;
    const breaches = await checkPolicy({
      files,
      paths: free,
      readBlob: () => {
        read += 1;
        return Promise.resolve(Buffer.from("a"));
      },
    });
    expect(breaches).toMatchObject([{ kind: "too-many", path: "" }]);
    expect(breaches[0]?.reason).toContain("501 files");
    expect(read).toBe(policyLimits.filesMax);
    expect(await check(files.slice(1))).toEqual([]);
  });

  it("a list of breaches that would help nobody", async () => {
    const files = Array.from({ length: 300 }, (_, index) => changed(`.husky/${index}`));
    const breaches = await check(files);
    expect(breaches.length).toBe(101);
    expect(breaches.at(-1)?.reason).toContain("200 more");
  });
});

describe("links, submodules, special files", () => {
  const link = (path: string) => changed(path, { status: "added", oldMode: "000000", newMode: "120000" });

  it.each([
    ["/etc/passwd", "a"],
    ["../outside", "a"],
    ["../../outside", "src/a"],
    ["x/../../..", "src/a"],
    ["..", "a"],
    ["../.git/config", "src/a"],
    [".GIT", "a"],
  ])("a link to %s from %s", async (target, path) => {
    expect(await check([link(path)], { blob: Buffer.from(target) })).toMatchObject([{ kind: "link-outside", path }]);
  });

  it.each([
    ["b", "a"],
    ["../lib/b", "src/a"],
    ["..", "src/a"],
    ["./nowhere", "a"],
    ["..b", "a"],
  ])("not a link to %s from %s", async (target, path) => {
    expect(await check([link(path)], { blob: Buffer.from(target) })).toEqual([]);
  });

  it("a submodule that is new or points elsewhere, not one that goes", async () => {
    const module = { newMode: "160000", hunks: "" };
    expect(await check([changed("sub", { ...module, status: "added" })])).toMatchObject([{ kind: "submodule" }]);
    expect(await check([changed("sub", { ...module, oldMode: "160000" })])).toMatchObject([{ kind: "submodule" }]);
    const gone = changed("sub", { status: "deleted", oldMode: "160000", newMode: "000000", blob: null, hunks: "" });
    expect(await check([gone])).toEqual([]);
  });

  it("a mode that no commit knows", async () => {
    expect(await check([changed("fifo", { newMode: "010644" })])).toMatchObject([{ kind: "special-file" }]);
  });
});

it("lets ordinary changes pass: renames, modes, deletions, empty files, odd names, an LFS pointer, CRLF and a BOM", async () => {
  const files = [
    changed("b.ts", { status: "renamed", oldPath: "a.ts", hunks: "" }),
    changed("run.sh", { newMode: "100755", hunks: "" }),
    changed("gone.ts", { status: "deleted", blob: null, newMode: "000000", hunks: "@@ -1 +0,0 @@\n-a\n" }),
    changed("empty", { status: "added", hunks: "" }),
    changed('a b\t"c"\n.ts'),
    changed("日本 b/file.ts"),
    changed("model.bin", {
      hunks: `@@ -0,0 +1,2 @@\n+version https://git-lfs.github.com/spec/v1\n+oid sha256:${"4d".repeat(32)}\n`,
    }),
    changed("crlf.txt", { hunks: "@@ -0,0 +1 @@\n+\uFEFFa\r\n\\ No newline at end of file\n" }),
  ];
  expect(await check(files)).toEqual([]);
});
