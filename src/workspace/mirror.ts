import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GavelError } from "../errors.ts";
import { git } from "./git.ts";
import { checkObjectId, checkRef, isObjectId } from "./object-name.ts";
import type { Remote } from "./workspace.ts";

/**
 * In git's order of precedence this file of ours stands above every `.gitattributes` of a tree. It takes back whatever
 * could convert, filter, hide or merge a file in another way than its bytes.
 */
const attributes =
  "* !text !eol !crlf !ident !filter !working-tree-encoding !diff !merge !whitespace !export-subst !conflict-marker-size\n";

/** Makes the bare repository when it is not there. */
export async function openMirror(mirror: string): Promise<void> {
  if (await exists(join(mirror, "HEAD"))) return;
  // Built aside and renamed, so that a crash leaves a whole mirror or none.
  const made = `${mirror}.${randomUUID()}`;
  await git(["init", "--quiet", "--bare", "--template=", "--initial-branch=main"], { gitDir: made });
  await mkdir(join(made, "info"), { recursive: true });
  await writeFile(join(made, "info", "attributes"), attributes);
  try {
    await rename(made, mirror);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (!(await exists(join(mirror, "HEAD")))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

const fetchSeconds = 300;

/**
 * Brings refs and commits in, without tags and submodules. Commits that are here already are not asked for.
 * Rejects with `fetch-not-found` or `fetch-refused` where the server says so, else as {@link git} does.
 */
export async function fetchInto(
  mirror: string,
  remote: Remote,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const refspecs: string[] = [];
  for (const name of names) {
    if (isObjectId(name) && (await has(mirror, name))) continue;
    // Local names are hashes: `feature` and `feature/x` can't both be refs, but may be so one after the other.
    const local = createHash("sha1").update(name).digest("hex");
    refspecs.push(`+${isObjectId(name) ? name : checkRef(name)}:refs/fetched/${local}`);
  }
  if (refspecs.length === 0) return;
  const flags = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance"];
  try {
    await git(["fetch", ...flags, "--refmap=", "--", remote.url, ...refspecs], {
      gitDir: mirror,
      network: { url: remote.url, token: await remote.token() },
      timeoutSeconds: fetchSeconds,
      signal,
    });
  } catch (error) {
    throw explain(error, names);
  }
}

function explain(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof GavelError) || error.code !== "git-failed") return error;
  const cause = { cause: error };
  if (/couldn't find remote ref|not our ref|no such remote ref/i.test(error.message)) {
    const message = `The server has not all of: ${names.join(", ").slice(0, 500)}`;
    return new GavelError("fetch-not-found", message, "Look whether the branch or commit still exists.", cause);
  }
  if (/Authentication failed|could not read Username|returned error: 40[134]|not found/i.test(error.message)) {
    const message = `The server refused the fetch: ${error.message}`;
    return new GavelError("fetch-refused", message, "Look whether the App may read this repository.", cause);
  }
  return error;
}

export async function has(mirror: string, object: string): Promise<boolean> {
  const found = await git(["cat-file", "-e", checkObjectId(object)], { gitDir: mirror, exitCodes: [1, 128] });
  return found.exitCode === 0;
}

export async function treeOf(mirror: string, commit: string): Promise<string> {
  return await readLine(["rev-parse", "--verify", "--quiet", `${checkObjectId(commit)}^{tree}`], mirror);
}

export async function mergeBase(mirror: string, a: string, b: string): Promise<string | null> {
  const args = ["merge-base", checkObjectId(a), checkObjectId(b)];
  const found = await git(args, { gitDir: mirror, exitCodes: [1] });
  return found.exitCode === 0 ? firstLine(found.stdout) : null;
}

export async function commitTree(
  mirror: string,
  tree: string,
  parents: readonly string[],
  message: string,
  author: { readonly name: string; readonly email: string },
): Promise<string> {
  const args = ["commit-tree", checkObjectId(tree), ...parents.flatMap((parent) => ["-p", checkObjectId(parent)])];
  const made = await git(args, {
    gitDir: mirror,
    stdin: message.replaceAll("\0", ""),
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    },
  });
  return firstLine(made.stdout);
}

/** Pushes one commit to one ref, never forced. Rejects with `push-rejected` and the server's words where it says no. */
export async function pushTo(mirror: string, remote: Remote, commit: string, ref: string): Promise<void> {
  const flags = ["--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags", "--no-signed"];
  const done = await git(["push", ...flags, "--", remote.url, `${checkObjectId(commit)}:${checkRef(ref)}`], {
    gitDir: mirror,
    network: { url: remote.url, token: await remote.token() },
    timeoutSeconds: fetchSeconds,
    exitCodes: [1],
  });
  if (done.exitCode === 0) return;
  const refused = done.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.split("\t").slice(2).join(" "));
  const words = [...refused, ...done.stderr.split("\n").filter((line) => line.startsWith("remote:"))].join("\n");
  throw new GavelError(
    "push-rejected",
    `The server refused the push to ${ref}: ${words.slice(0, 2000) || done.stderr.slice(-500)}`,
    "Look at the rules of the branch, and whether it moved.",
  );
}

async function readLine(args: readonly string[], mirror: string): Promise<string> {
  return firstLine((await git(args, { gitDir: mirror })).stdout);
}

function firstLine(output: Buffer): string {
  return output.toString("utf8").split("\n")[0] ?? "";
}
