import { branchHeads } from "./git/bare.ts";
import { readCommits } from "./git/commits.ts";
import { diffText } from "./git/diff.ts";
import { pullBase, pullCommits, pullOf } from "./show/pull.ts";
import { sameName, type Repository, type State } from "./state.ts";
import type { CheckRun } from "./state-checks.ts";
import type { Comment, Issue } from "./state-issues.ts";
import type { Review, ReviewComment } from "./state-pulls.ts";

/** A pull request as a test or a person looks at it. */
export interface SeenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly login: string | null;
  readonly draft: boolean;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  readonly baseSha: string;
  readonly labels: readonly string[];
  readonly requestedReviewers: readonly string[];
  readonly comments: readonly Comment[];
  readonly reviews: readonly Review[];
  readonly reviewComments: readonly ReviewComment[];
  readonly commits: readonly {
    readonly sha: string;
    readonly tree: string;
    readonly message: string;
    readonly author: string;
    readonly verified: boolean;
  }[];
  readonly diff: string;
}

/** What can be seen of the world without asking its API. */
export type Readers = ReturnType<typeof openReaders>;

export function openReaders(state: State) {
  const find = (repository: Repository, number: number): Issue => {
    const issue = repository.issues.get(number);
    if (issue === undefined) throw new Error(`there is no #${number}`);
    return issue;
  };
  return {
    /** The repository of an owner and a name. */
    repository(owner: string, name: string): Repository {
      const found = state.repositories.find((item) => sameName(item.owner, owner) && sameName(item.name, name));
      if (found === undefined) throw new Error(`there is no ${owner}/${name}`);
      return found;
    },
    /** An issue or pull request with its comments, labels and reactions; it changes as the world does. */
    issue: find,
    issues: (repository: Repository): readonly Issue[] => [...repository.issues.values()],
    pullRequest: (repository: Repository, number: number): SeenPull => see(repository, find(repository, number)),
    pullRequests: (repository: Repository): readonly SeenPull[] =>
      [...repository.issues.values()].filter((item) => item.pull !== null).map((item) => see(repository, item)),
    checkRuns: (repository: Repository, sha: string): readonly CheckRun[] =>
      repository.checkRuns.filter((run) => run.headSha === sha),
    branches: (repository: Repository): readonly string[] => [...branchHeads(repository.git).keys()],
    /** Throws where there is no such file. */
    readFile: (repository: Repository, ref: string, path: string): string =>
      repository.git.bytes(["show", `${ref}:${path}`]).toString("utf8"),
  };
}

function see(repository: Repository, issue: Issue): SeenPull {
  const pull = pullOf(issue);
  const { git } = repository;
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body ?? "",
    login: issue.login,
    draft: pull.draft,
    state: issue.state,
    merged: pull.merge !== null,
    headRef: pull.headRef,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    baseSha: pull.baseSha,
    labels: issue.labels,
    requestedReviewers: pull.requestedReviewers,
    comments: issue.comments,
    reviews: pull.reviews,
    reviewComments: pull.reviewComments,
    commits: readCommits(git, pullCommits(repository, pull)).map((commit) => ({
      sha: commit.sha,
      tree: commit.tree,
      message: commit.message.trimEnd(),
      author: commit.author.name,
      verified: repository.signed.has(commit.sha),
    })),
    diff: diffText(git, pullBase(repository, pull), pull.headSha),
  };
}
