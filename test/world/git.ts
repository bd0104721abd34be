import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Output of one git command, in bytes. */
const outputBytesMax = 256 * 1024 * 1024;

/** A bare repository of the world. Runs plain git: nobody but tests writes here. */
export interface BareGit {
  readonly folder: string;
  run(
    args: readonly string[],
    input?: string | Uint8Array,
    as?: { readonly name: string; readonly email: string },
  ): string;
  bytes(args: readonly string[], input?: string | Uint8Array): Buffer;
  /** Output, or null where git says no. */
  try(args: readonly string[]): string | null;
}

const environment = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "contributor",
  GIT_AUTHOR_EMAIL: "contributor@example.invalid",
  GIT_COMMITTER_NAME: "contributor",
  GIT_COMMITTER_EMAIL: "contributor@example.invalid",
};

export function openBareGit(root: string, owner: string, name: string, defaultBranch: string): BareGit {
  const folder = join(root, owner, `${name}.git`);
  execFileSync("git", ["init", "--bare", "--quiet", `--initial-branch=${defaultBranch}`, folder], { env: environment });
  const bytes = (
    args: readonly string[],
    input?: string | Uint8Array,
    as?: { readonly name: string; readonly email: string },
  ): Buffer =>
    execFileSync("git", args, {
      cwd: folder,
      env: as === undefined ? environment : { ...environment, ...identity(as) },
      maxBuffer: outputBytesMax,
      stdio: ["pipe", "pipe", "pipe"],
      ...(input === undefined ? {} : { input }),
    });
  const git: BareGit = {
    folder,
    bytes,
    run: (args, input, as) => bytes(args, input, as).toString("utf8").trimEnd(),
    try(args) {
      try {
        return git.run(args);
      } catch {
        return null;
      }
    },
  };
  for (const [key, value] of [
    ["http.receivepack", "true"],
    ["uploadpack.allowAnySHA1InWant", "true"],
    ["uploadpack.allowFilter", "true"],
    ["gc.auto", "0"],
  ] as const) {
    git.run(["config", key, value]);
  }
  return git;
}

const identity = ({ name, email }: { readonly name: string; readonly email: string }) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

/** A tree with entries put over another: `null` takes a path away. Returns the tree's id. */
export function writeTree(
  git: BareGit,
  base: string | null,
  entries: readonly { readonly path: string; readonly mode: string; readonly sha: string | null }[],
): string {
  const index = join(git.folder, `index-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const withIndex = (args: readonly string[], input?: string): string =>
    execFileSync("git", args, { cwd: git.folder, env: { ...environment, GIT_INDEX_FILE: index }, input: input ?? "" })
      .toString("utf8")
      .trim();
  try {
    if (base !== null) withIndex(["read-tree", base]);
    const lines = entries.map(({ path, mode, sha }) =>
      sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`,
    );
    withIndex(["update-index", "-z", "--index-info"], lines.join(""));
    return withIndex(["write-tree"]);
  } finally {
    execFileSync("rm", ["-f", index]);
  }
}

/** Commits files onto a branch (made where it is missing); null content deletes. Returns the commit. */
export function commitFiles(
  git: BareGit,
  branch: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  message: string,
): string {
  const parent = git.try(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  const entries = Object.entries(files).map(([path, content]) => ({
    path,
    mode: "100644",
    sha: content === null ? null : git.run(["hash-object", "-w", "--stdin"], content),
  }));
  const tree = writeTree(git, parent, entries);
  const parents = parent === null ? [] : ["-p", parent];
  const commit = git.run(["commit-tree", tree, ...parents, "-m", message]);
  git.run(["update-ref", `refs/heads/${branch}`, commit]);
  return commit;
}
