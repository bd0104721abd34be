import type { Core } from "../core.ts";
import { type ChangedFile, changedFiles, mergeBase } from "../git/diff.ts";
import { noCommit } from "../git/bare.ts";
import { type GitCommit, readCommit } from "../git/commits.ts";
import type { Repository } from "../state.ts";
import { showAccount } from "./account.ts";
import { apiUrl, type Json, nodeId, webUrl } from "./values.ts";

/** The address that GitHub's own commits carry for an account. */
export function emailOf(core: Core, login: string): string {
  return `${core.state.account(login).id}+${login}@users.noreply.github.com`;
}

function accountOfEmail(core: Core, email: string): Json | null {
  const login = /^\d+\+(.+)@users\.noreply\.github\.com$/.exec(email)?.[1];
  return login === undefined ? null : showAccount(core, login);
}

function showVerification(repository: Repository, commit: GitCommit): Json {
  const verified = repository.signed.has(commit.sha);
  return {
    verified,
    reason: verified ? "valid" : "unsigned",
    signature: verified ? "-----BEGIN PGP SIGNATURE-----\n\nof this world\n-----END PGP SIGNATURE-----\n" : null,
    payload: verified ? commit.raw : null,
    verified_at: verified ? commit.committer.date : null,
  };
}

const linkTo = (core: Core, repository: Repository, kind: string, sha: string): Json => ({
  sha,
  url: apiUrl(core, repository, `/git/${kind}/${sha}`),
});

/** A commit as the Git Data API shows it. */
export function showGitCommit(core: Core, repository: Repository, commit: GitCommit): Json {
  return {
    sha: commit.sha,
    node_id: nodeId("Commit", commit.sha),
    url: apiUrl(core, repository, `/git/commits/${commit.sha}`),
    html_url: webUrl(core, repository, `/commit/${commit.sha}`),
    author: commit.author,
    committer: commit.committer,
    tree: linkTo(core, repository, "trees", commit.tree),
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      ...linkTo(core, repository, "commits", sha),
      html_url: webUrl(core, repository, `/commit/${sha}`),
    })),
    verification: showVerification(repository, commit),
  };
}

/** A commit as lists of commits show it. */
export function showCommit(core: Core, repository: Repository, commit: GitCommit): Json {
  const url = apiUrl(core, repository, `/commits/${commit.sha}`);
  return {
    sha: commit.sha,
    node_id: nodeId("Commit", commit.sha),
    url,
    html_url: webUrl(core, repository, `/commit/${commit.sha}`),
    comments_url: `${url}/comments`,
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: linkTo(core, repository, "trees", commit.tree),
      url: apiUrl(core, repository, `/git/commits/${commit.sha}`),
      comment_count: 0,
      verification: showVerification(repository, commit),
    },
    author: accountOfEmail(core, commit.author.email),
    committer: accountOfEmail(core, commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: apiUrl(core, repository, `/commits/${sha}`),
      html_url: webUrl(core, repository, `/commit/${sha}`),
    })),
  };
}

/** A commit with its files. */
export function showFullCommit(core: Core, repository: Repository, sha: string): Json {
  const commit = readCommit(repository.git, sha);
  // The empty tree stands for the parent of the first commit.
  const parent = commit.parents[0] ?? repository.git.run(["mktree"]);
  const files = changedFiles(repository.git, parent, sha);
  const sum = (of: (file: ChangedFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const additions = sum((file) => file.additions);
  const deletions = sum((file) => file.deletions);
  return {
    ...showCommit(core, repository, commit),
    stats: { additions, deletions, total: additions + deletions },
    files: files.map((file) => showFile(core, repository, sha, file)),
  };
}

export function showFile(core: Core, repository: Repository, sha: string, file: ChangedFile): Json {
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: webUrl(core, repository, `/blob/${sha}/${path}`),
    raw_url: webUrl(core, repository, `/raw/${sha}/${path}`),
    contents_url: apiUrl(core, repository, `/contents/${path}?ref=${sha}`),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
    ...(file.patch === null ? {} : { patch: file.patch }),
  };
}

/** A commit as the `push` webhook tells it. */
export function showPushedCommit(core: Core, repository: Repository, commit: GitCommit): Json {
  const parent = commit.parents[0] ?? repository.git.run(["mktree"]);
  const files = changedFiles(repository.git, parent, commit.sha);
  const paths = (status: string): readonly string[] =>
    files.flatMap((file) => (file.status === status ? [file.path] : []));
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: webUrl(core, repository, `/commit/${commit.sha}`),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
    added: paths("added"),
    removed: paths("removed"),
    modified: [...paths("modified"), ...paths("renamed")],
  };
}

/** Where two commits parted; the first commit itself where they have nothing in common. */
export function commonBase(repository: Repository, base: string, head: string): string {
  return base === noCommit ? head : (mergeBase(repository.git, base, head) ?? base);
}
