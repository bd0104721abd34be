import type { BareGit, Identity } from "./bare.ts";

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Required<Identity>;
  readonly committer: Required<Identity>;
  /** Exactly as it was given. */
  readonly message: string;
  /** The whole object as text. */
  readonly raw: string;
}

/** Reads commits by their full ids in one go, in the order asked for. */
export function readCommits(git: BareGit, ids: readonly string[]): readonly GitCommit[] {
  if (ids.length === 0) return [];
  const output = git.constant(["cat-file", "--batch"], `${ids.join("\n")}\n`);
  const commits: GitCommit[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [sha = "", , size = "0"] = output.subarray(at, end).toString().split(" ");
    const start = end + 1;
    commits.push(parseCommit(sha, output.subarray(start, start + Number(size)).toString("utf8")));
    at = start + Number(size) + 1;
  }
  return commits;
}

export function readCommit(git: BareGit, id: string): GitCommit {
  const [commit] = readCommits(git, [id]);
  if (commit === undefined) throw new Error(`there is no commit ${id}`);
  return commit;
}

function parseCommit(sha: string, raw: string): GitCommit {
  const split = raw.indexOf("\n\n");
  const head = raw.slice(0, split).split("\n");
  const values = (key: string): readonly string[] =>
    head.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return {
    sha,
    raw,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: parseIdentity(values("author")[0] ?? ""),
    committer: parseIdentity(values("committer")[0] ?? ""),
    message: raw.slice(split + 2),
  };
}

function parseIdentity(line: string): Required<Identity> {
  const [, name = "", email = "", seconds = "0"] = /^(.*?) ?<(.*)> (\d+) /.exec(line) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z") };
}

/** Ids of the commits that are in one and not in the other, oldest first. Takes full ids. */
export function listCommits(git: BareGit, from: string, to: string): readonly string[] {
  return git
    .constant(["rev-list", "--reverse", "--topo-order", `${from}..${to}`])
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/** Writes a commit with exactly this message. Returns its id. */
export function writeCommit(
  git: BareGit,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly author: Identity;
    readonly committer: Identity;
  },
): string {
  const parents = commit.parents.flatMap((parent) => ["-p", parent]);
  // From standard input: `-m` would add a line break.
  return git.run(["commit-tree", commit.tree, ...parents], {
    input: commit.message,
    author: commit.author,
    committer: commit.committer,
  });
}
