import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

/** Output of one git command, in bytes. */
const outputBytesMax = 256 * 1024 * 1024;

/** Answers that are kept for each repository. */
const constantsMax = 500;

export interface Identity {
  readonly name: string;
  readonly email: string;
  /** ISO 8601; the present when it is left out. */
  readonly date?: string;
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly author?: Identity;
  readonly committer?: Identity;
  readonly index?: string;
}

/**
 * A bare repository of the world. Runs plain git, and waits for it: a request of the API is then one piece, as a
 * transaction is, and the world needs no locks. Nobody but tests writes here.
 */
export interface BareGit {
  readonly folder: string;
  /** Output as text without its last line breaks. Throws where git says no. */
  run(args: readonly string[], options?: GitOptions): string;
  bytes(args: readonly string[], options?: GitOptions): Buffer;
  /** Output that can never change, because the command names everything by id: kept, and asked for once. */
  constant(args: readonly string[], input?: string): Buffer;
  /** Output, or null where git says no. */
  try(args: readonly string[], options?: GitOptions): string | null;
}

/** git's environment: nothing of this machine's configuration takes part. */
export const gitEnvironment = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "contributor",
  GIT_AUTHOR_EMAIL: "contributor@example.invalid",
  GIT_COMMITTER_NAME: "contributor",
  GIT_COMMITTER_EMAIL: "contributor@example.invalid",
};

/** As on GitHub: pushes, and fetches of any commit, with filters. */
const configuration = `
[http]
  receivepack = true
[uploadpack]
  allowAnySHA1InWant = true
  allowFilter = true
[gc]
  auto = 0
[core]
  quotePath = false
`;

/** Makes a bare repository in `root`, named by its id so that a rename moves nothing. */
export function makeBareGit(root: string, id: number, defaultBranch: string): BareGit {
  const folder = join(root, `${id}.git`);
  execFileSync("git", ["init", "--bare", "--quiet", "--template=", `--initial-branch=${defaultBranch}`, folder], {
    env: gitEnvironment,
  });
  appendFileSync(join(folder, "config"), configuration);
  return openBareGit(folder);
}

function openBareGit(folder: string): BareGit {
  const bytes = (args: readonly string[], options: GitOptions = {}): Buffer =>
    execFileSync("git", args, {
      cwd: folder,
      env: { ...gitEnvironment, ...environmentOf(options) },
      maxBuffer: outputBytesMax,
      stdio: ["pipe", "pipe", "pipe"],
      input: options.input ?? "",
    });
  const run = (args: readonly string[], options?: GitOptions): string =>
    bytes(args, options).toString("utf8").trimEnd();
  const constants = new Map<string, Buffer>();
  return {
    folder,
    bytes,
    run,
    constant(args, input = "") {
      const key = [...args, input].join("\0");
      const known = constants.get(key) ?? bytes(args, { input });
      constants.set(key, known);
      for (const oldest of constants.keys()) if (constants.size > constantsMax) constants.delete(oldest);
      return known;
    },
    try(args, options) {
      try {
        return run(args, options);
      } catch {
        return null;
      }
    },
  };
}

function environmentOf({ author, committer, index }: GitOptions): Record<string, string> {
  const named = (who: "AUTHOR" | "COMMITTER", identity: Identity | undefined): Record<string, string> =>
    identity === undefined
      ? {}
      : {
          [`GIT_${who}_NAME`]: identity.name,
          [`GIT_${who}_EMAIL`]: identity.email,
          ...(identity.date === undefined ? {} : { [`GIT_${who}_DATE`]: identity.date }),
        };
  return {
    ...named("AUTHOR", author),
    ...named("COMMITTER", committer),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
}

export const noCommit = "0".repeat(40);

/** The commit of a branch, tag or id; null where there is none. */
export function resolveCommit(git: BareGit, ref: string): string | null {
  return git.try(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
}

export function branchHead(git: BareGit, branch: string): string | null {
  return resolveCommit(git, `refs/heads/${branch}`);
}

/** Heads of all branches, by name. */
export function branchHeads(git: BareGit): ReadonlyMap<string, string> {
  const lines = git.run(["for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads"]).split("\n");
  return new Map(lines.filter((line) => line !== "").map((line) => [line.slice(41), line.slice(0, 40)]));
}

export function isAncestor(git: BareGit, older: string, newer: string): boolean {
  return git.try(["merge-base", "--is-ancestor", older, newer]) !== null;
}
