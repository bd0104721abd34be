import { execFileSync } from "node:child_process";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveGit } from "./git-server.ts";
import { isThere, listAll, makeTree, openPlace, write } from "./support.ts";

interface Attack {
  readonly name: string;
  /** Leaves the trap in a tree. `program` is what must never run. */
  readonly plant: (root: string, program: string) => Promise<void>;
  /** The trap lies on the way to a server. */
  readonly network?: boolean;
  /** Commands of an unprotected git in the tree that spring the trap: proof that it is one. Empty: none does here. */
  readonly springs: readonly (readonly string[])[];
}

/** An agent's own repository at the root of the tree, with its own configuration. */
async function ownRepository(root: string, config = ""): Promise<void> {
  const run = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=octo", "-c", "user.email=octo@example.com", ...args], { cwd: root });
  };
  run("init", "--quiet");
  run("add", "a.txt");
  run("commit", "--quiet", "-m", "own");
  if (config !== "") execFileSync("bash", ["-c", 'printf "%s" "$1" >> .git/config', "bash", config], { cwd: root });
  await write(root, "a.txt", "changed by the agent\n");
}

async function repositoryIn(folder: string, config: string): Promise<void> {
  await write(folder, "a.txt", "inside\n");
  await ownRepository(folder, config);
}

const driver = (kind: string, key: string, program: string): string => `[${kind} "x"]\n\t${key} = ${program}\n`;
const status = [["status"]];

const attacks: readonly Attack[] = [
  {
    name: "hooks",
    network: true,
    plant: async (root, program) => {
      await ownRepository(root);
      for (const hook of ["pre-commit", "post-checkout", "reference-transaction", "post-index-change", "pre-push"]) {
        await write(root, `.git/hooks/${hook}`, `#!/bin/sh\n${program}\n`, 0o755);
      }
    },
    springs: [["add", "."]],
  },
  {
    name: "core.hooksPath",
    plant: async (root, program) => {
      await write(root, "hooks/post-index-change", `#!/bin/sh\n${program}\n`, 0o755);
      await ownRepository(root, "[core]\n\thooksPath = hooks\n");
    },
    springs: [["add", "."]],
  },
  {
    name: "core.fsmonitor",
    plant: (root, program) => ownRepository(root, `[core]\n\tfsmonitor = ${program}\n`),
    springs: status,
  },
  {
    name: "an included configuration",
    plant: async (root, program) => {
      await write(root, "evil.config", `[core]\n\tfsmonitor = ${program}\n`);
      await ownRepository(root, "[include]\n\tpath = ../evil.config\n");
    },
    springs: status,
  },
  {
    name: "a conditionally included configuration",
    plant: async (root, program) => {
      await write(root, "evil.config", `[core]\n\tfsmonitor = ${program}\n`);
      await ownRepository(root, '[includeIf "gitdir:**"]\n\tpath = ../evil.config\n');
    },
    springs: status,
  },
  {
    name: "a configuration of the worktree",
    plant: async (root, program) => {
      await ownRepository(root, "[extensions]\n\tworktreeConfig = true\n");
      await write(root, ".git/config.worktree", `[core]\n\tfsmonitor = ${program}\n`);
    },
    springs: status,
  },
  {
    name: "a .git file",
    plant: async (root, program) => {
      await ownRepository(root, `[core]\n\tfsmonitor = ${program}\n`);
      await rename(join(root, ".git"), join(root, "elsewhere"));
      await write(root, ".git", "gitdir: elsewhere\n");
    },
    springs: status,
  },
  {
    name: "a .git link",
    plant: async (root, program) => {
      await ownRepository(root, `[core]\n\tfsmonitor = ${program}\n`);
      await rename(join(root, ".git"), join(root, "elsewhere"));
      await symlink("elsewhere", join(root, ".git"));
    },
    springs: status,
  },
  {
    name: "a clean filter",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* filter=x\n");
      await ownRepository(root, driver("filter", "clean", program));
    },
    springs: [["add", "."]],
  },
  {
    name: "a smudge filter",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* filter=x\n");
      await ownRepository(root, driver("filter", "smudge", program));
    },
    springs: [["checkout", "-f", "."]],
  },
  {
    name: "a long-running filter process",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* filter=x\n");
      await ownRepository(root, driver("filter", "process", program));
    },
    springs: [["add", "."]],
  },
  {
    name: "textconv",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* diff=x\n");
      await ownRepository(root, driver("diff", "textconv", program));
    },
    springs: [["diff"]],
  },
  {
    name: "a diff driver's command",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* diff=x\n");
      await ownRepository(root, driver("diff", "command", program));
    },
    springs: [["diff"]],
  },
  {
    name: "diff.external",
    plant: (root, program) => ownRepository(root, `[diff]\n\texternal = ${program}\n`),
    springs: [["diff"]],
  },
  {
    name: "a merge driver",
    plant: async (root, program) => {
      await write(root, ".gitattributes", "* merge=x\n");
      await ownRepository(root, driver("merge", "driver", program));
    },
    springs: [],
  },
  {
    name: "a nested repository's clean filter",
    plant: async (root, program) => {
      await write(root, "nested/.gitattributes", "* filter=x\n");
      await repositoryIn(join(root, "nested"), driver("filter", "clean", program));
    },
    springs: [["-C", "nested", "add", "."]],
  },
  {
    name: "a nested repository's fsmonitor",
    plant: (root, program) => repositoryIn(join(root, "nested"), `[core]\n\tfsmonitor = ${program}\n`),
    springs: [["-C", "nested", "status"]],
  },
  {
    name: "a submodule's fsmonitor",
    plant: async (root, program) => {
      await rm(join(root, "lib"), { recursive: true, force: true });
      await repositoryIn(join(root, "lib"), `[core]\n\tfsmonitor = ${program}\n`);
    },
    springs: [["-C", "lib", "status"]],
  },
  {
    name: "a nested bare repository",
    plant: async (root, program) => {
      execFileSync("git", ["init", "--quiet", "--bare", join(root, "bare")]);
      const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${program}\n`;
      await write(root, "bare/config", config);
    },
    springs: [["-C", "bare", "status"]],
  },
  {
    name: "alternates with a command",
    plant: async (root, program) => {
      await ownRepository(root, `[core]\n\talternateRefsCommand = ${program}\n`);
      await write(root, ".git/objects/info/alternates", `${join(root, ".git/objects")}\n`);
    },
    springs: [],
  },
  {
    name: "signing, ssh, credential and pager programs, and another URL",
    network: true,
    plant: (root, program) =>
      ownRepository(
        root,
        `[gpg]\n\tprogram = ${program}\n[commit]\n\tgpgSign = true\n[core]\n\tsshCommand = ${program}\n\tpager = ${program}\n` +
          `\taskPass = ${program}\n[credential]\n\thelper = ${program}\n[url "ext::${program}"]\n\tinsteadOf = http\n`,
      ),
    springs: [["-c", "user.name=o", "-c", "user.email=o@e.com", "commit", "--allow-empty", "-m", "x"]],
  },
  {
    name: "a submodule's update command",
    plant: async (root, program) => {
      await write(root, ".gitmodules", `[submodule "lib"]\n\tpath = lib\n\turl = ./x\n\tupdate = !${program}\n`);
      await ownRepository(
        root,
        `[submodule "lib"]\n\turl = ./x\n\tupdate = !${program}\n[submodule]\n\trecurse = true\n`,
      );
    },
    springs: [],
  },
];

const base = {
  "a.txt": "base\n",
  ".gitattributes": "*.md text\n",
  lib: { kind: "submodule", commit: "1".repeat(40) },
} as const;

test.each(attacks)("git runs nothing: $name", async ({ plant, springs, network }) => {
  const { repository, mirror, dataFolder } = await openPlace();
  const canary = join(dataFolder, "canary");
  const program = join(dataFolder, "program");
  await write(dataFolder, "program", `#!/bin/sh\ntouch '${canary}'\ncat\n`, 0o755);
  const { tree, commit } = await makeTree(mirror, base);
  const opened = await repository.openTree(tree);
  await plant(opened.path, program);
  // Making the trap may have sprung it already.
  await rm(canary, { force: true });

  const candidate = await repository.readCandidate(opened, tree);
  await repository.diff(tree, candidate.tree);
  const patch = await repository.exportPatch(tree, candidate.tree);
  await repository.importPatch(tree, patch, candidate.tree);
  const author = { name: "octo", email: "octo@example.com" };
  const made = await repository.commit(candidate.tree, [commit], "made", author);
  if (network === true) {
    const server = await serveGit(dataFolder, "");
    const remote = { url: server.url, token: () => Promise.resolve("") };
    await repository.push(remote, made, "refs/heads/gavel/1");
    await repository.fetch(remote, ["refs/heads/gavel/1"]);
  }
  const beside = await repository.openTree(candidate.tree);
  expect(await repository.readCandidate(beside, tree)).toMatchObject({ tree: candidate.tree });
  expect(await isThere(canary)).toBe(false);

  // The traps are real: git without protection springs them.
  for (const args of springs) {
    try {
      execFileSync("git", args, { cwd: opened.path, stdio: "ignore", timeout: 5000 });
    } catch {
      // Most traps make git fail as well.
    }
  }
  expect(await isThere(canary)).toBe(springs.length > 0);
  await rm(canary, { force: true });

  await opened.release();
  const again = await repository.openTree(tree);
  expect(await listAll(again.path)).toEqual([".gitattributes", "a.txt", "lib/"]);
  expect(await isThere(canary)).toBe(false);
});

test("git of ours takes nothing from the environment of this process", async () => {
  const { repository, mirror, dataFolder } = await openPlace();
  const canary = join(dataFolder, "canary");
  await write(dataFolder, "program", `#!/bin/sh\ntouch '${canary}'\n`, 0o755);
  await write(dataFolder, ".gitconfig", `[core]\n\tfsmonitor = ${join(dataFolder, "program")}\n`);
  const planted: Record<string, string> = {
    HOME: dataFolder,
    XDG_CONFIG_HOME: dataFolder,
    GIT_DIR: "/nonexistent",
    GIT_WORK_TREE: "/",
    GIT_CONFIG_GLOBAL: join(dataFolder, ".gitconfig"),
    GIT_EXTERNAL_DIFF: join(dataFolder, "program"),
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${join(dataFolder, "program")}'`,
  };
  const before = Object.fromEntries(Object.keys(planted).map((name) => [name, process.env[name]]));
  try {
    Object.assign(process.env, planted);
    const { tree } = await makeTree(mirror, base);
    const opened = await repository.openTree(tree);
    await write(opened.path, "a.txt", "changed\n");
    const candidate = await repository.readCandidate(opened, tree);
    expect((await repository.diff(tree, candidate.tree)).files).toHaveLength(1);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect(await isThere(canary)).toBe(false);
});
