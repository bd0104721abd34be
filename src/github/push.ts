import { nextBranchName } from "../domain/publication.ts";
import type { GitHub } from "./github.ts";
import { messageOf, outcomeUnknown, statusOf } from "./retry.ts";

export interface CommitToPush {
  readonly message: string;
  readonly parentTree: string;
  readonly tree: string;
  readonly entries: readonly EntryToPush[];
}

export interface EntryToPush {
  readonly path: string;
  readonly mode: "100644" | "100755" | "120000" | "160000";
  /** null: deleted. For a submodule its commit. */
  readonly blob: string | null;
}

export type Pushed =
  | {
      readonly kind: "pushed";
      readonly branch: string;
      readonly commits: readonly string[];
      /** Tree of the last commit, as GitHub returned it. */
      readonly tree: string;
      /** GitHub says that it signed the commits. */
      readonly verified: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Text up to this size goes into the tree request itself; anything else is a blob of its own, a request each. In bytes. */
const inlineBytesMax = 512 * 1024;

/** All inline text of one tree request, in bytes; GitHub takes no request body over 40 MB. */
const inlineBytesInAllMax = 20 * 1024 * 1024;

const suffixesMax = 50;

/**
 * Makes the commits through the Git Data API and then the branch, never forced. Author and committer are left out,
 * so that GitHub names the App and signs. A branch that carries this chain's trailer is ours and is found; anybody
 * else's makes the next free suffix.
 */
export async function pushCommits(
  github: GitHub,
  push: {
    readonly chain: string;
    readonly branch: string;
    readonly baseCommit: string;
    readonly commits: readonly CommitToPush[];
    readonly readBlob: (blob: string) => Promise<Uint8Array>;
  },
): Promise<Pushed> {
  const made: string[] = [];
  let tree = "";
  let verified = true;
  let parent = push.baseCommit;
  try {
    for (const commit of push.commits) {
      tree = await createTree(github, commit, push.readBlob);
      if (tree !== commit.tree) {
        return {
          kind: "refused",
          reason: `GitHub made another tree (${tree}) than the one that was checked (${commit.tree})`,
        };
      }
      const { data } = await github.octokit.rest.git.createCommit({
        owner: github.repository.owner,
        repo: github.repository.name,
        message: commit.message,
        tree,
        parents: [parent],
      });
      verified &&= data.verification.verified;
      parent = data.sha;
      made.push(data.sha);
    }
    return await placeBranch(github, push, { commits: made, tree, verified });
  } catch (error) {
    const status = statusOf(error);
    // Rules of the repository and limits of the API are answers; anything else is tried again by the caller.
    if (status === 403 || status === 409 || status === 422) return { kind: "refused", reason: messageOf(error) };
    throw error;
  }
}

async function createTree(
  github: GitHub,
  commit: CommitToPush,
  readBlob: (blob: string) => Promise<Uint8Array>,
): Promise<string> {
  const { owner, name: repo } = github.repository;
  let inlineBytes = 0;
  const entries = [];
  for (const entry of commit.entries) {
    const base = {
      path: entry.path,
      mode: entry.mode,
      type: entry.mode === "160000" ? ("commit" as const) : ("blob" as const),
    };
    if (entry.blob === null || entry.mode === "160000") {
      entries.push({ ...base, sha: entry.blob });
      continue;
    }
    const bytes = await readBlob(entry.blob);
    const text = textOf(bytes);
    if (text !== null && bytes.length <= inlineBytesMax && inlineBytes + bytes.length <= inlineBytesInAllMax) {
      inlineBytes += bytes.length;
      entries.push({ ...base, content: text });
      continue;
    }
    const { data } = await github.octokit.rest.git.createBlob({
      owner,
      repo,
      content: Buffer.from(bytes).toString("base64"),
      encoding: "base64",
    });
    entries.push({ ...base, sha: data.sha });
  }
  const { data } = await github.octokit.rest.git.createTree({
    owner,
    repo,
    base_tree: commit.parentTree,
    tree: entries,
  });
  return data.sha;
}

/** The bytes as text where that loses nothing; a byte-order mark and NUL would not survive. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

interface Made {
  readonly commits: readonly string[];
  readonly tree: string;
  readonly verified: boolean;
}

async function placeBranch(github: GitHub, push: { chain: string; branch: string }, made: Made): Promise<Pushed> {
  const { owner, name: repo } = github.repository;
  const taken: string[] = [];
  let branch = push.branch;
  for (let tries = 0; tries < suffixesMax; tries++) {
    try {
      const sha = made.commits.at(-1) ?? "";
      await github.octokit.rest.git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha });
      return { kind: "pushed", branch, ...made };
    } catch (error) {
      const exists = statusOf(error) === 422 && /already exists/i.test(messageOf(error));
      if (!exists && !outcomeUnknown(error)) throw error;
      const ours = await readOurBranch(github, branch, push.chain, made.commits.length);
      if (ours !== null && ours.tree === made.tree) return { kind: "pushed", branch, ...ours };
      if (!exists) continue;
    }
    taken.push(branch);
    branch = nextBranchName(push.branch, taken);
  }
  return { kind: "refused", reason: `no free branch name after ${suffixesMax} tries from ${push.branch}` };
}

/** Commits of a branch whose head carries this chain's trailer; null where it is not ours. */
async function readOurBranch(github: GitHub, branch: string, chain: string, count: number): Promise<Made | null> {
  const { owner, name: repo } = github.repository;
  const { git } = github.octokit.rest;
  try {
    const { data: ref } = await git.getRef({ owner, repo, ref: `heads/${branch}` });
    const commits: string[] = [];
    let tree: string | null = null;
    let verified = true;
    let sha = ref.object.sha;
    for (let index = 0; index < count; index++) {
      const { data } = await git.getCommit({ owner, repo, commit_sha: sha });
      if (!data.message.split("\n").includes(`Gavel-Chain: ${chain}`)) return null;
      commits.unshift(sha);
      tree ??= data.tree.sha;
      verified &&= data.verification.verified;
      sha = data.parents[0]?.sha ?? "";
    }
    return tree === null ? null : { commits, tree, verified };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
