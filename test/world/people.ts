import { commitFiles, openBareGit } from "./git.ts";
import type { Events } from "./events.ts";
import { movePulls } from "./pulls.ts";
import { hasLabel, type CheckRun, type Comment, type Issue, type Repository, type Role, type State } from "./state.ts";

/** A pull request as a test reads it. */
export interface SeenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly state: "open" | "closed";
  readonly headRef: string;
  readonly headSha: string;
  readonly labels: readonly string[];
  readonly comments: readonly Comment[];
  readonly commits: readonly { readonly sha: string; readonly message: string }[];
}

/** What people do, and what they see. */
export interface People {
  createRepository(wanted: {
    readonly owner: string;
    readonly name: string;
    readonly files: Readonly<Record<string, string | Uint8Array>>;
    readonly defaultBranch?: string;
    readonly isPrivate?: boolean;
  }): Promise<Repository>;
  setPermission(repository: Repository, login: string, role: Role): void;
  commitFiles(
    repository: Repository,
    branch: string,
    files: Readonly<Record<string, string | Uint8Array | null>>,
    by: string,
  ): string;
  createBranch(repository: Repository, branch: string, from: string): void;
  openIssue(wanted: {
    readonly repo: Repository;
    readonly login: string | null;
    readonly title: string;
    readonly body: string | null;
  }): Promise<Issue>;
  labelIssue(repository: Repository, number: number, login: string, label: string): Promise<void>;
  unlabelIssue(repository: Repository, number: number, login: string, label: string): Promise<void>;
  comment(repository: Repository, number: number, login: string, body: string): Promise<Comment>;
  editComment(repository: Repository, number: number, id: number, body: string): Promise<void>;
  closeIssue(repository: Repository, number: number, login: string): Promise<void>;
  lockIssue(repository: Repository, number: number): void;
  openPullRequest(wanted: {
    readonly repo: Repository;
    readonly login: string;
    readonly head: string;
    readonly title: string;
    readonly body: string;
  }): Promise<Issue>;
  issue(repository: Repository, number: number): Issue;
  pullRequest(repository: Repository, number: number): SeenPull;
  pullRequests(repository: Repository): readonly SeenPull[];
  checkRuns(repository: Repository, sha: string): readonly CheckRun[];
  branches(repository: Repository): readonly string[];
  readFile(repository: Repository, ref: string, path: string): string;
  noticePush(repository: Repository): void;
}

export function openPeople(world: { readonly root: string; readonly state: State; readonly events: Events }): People {
  const { state, events } = world;
  const heads = new Map<string, string>();

  const headsOf = (repository: Repository): ReadonlyMap<string, string> =>
    new Map(
      repository.git
        .run(["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"])
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split(" ") as [string, string]),
    );
  const remember = (repository: Repository): void => {
    for (const [branch, sha] of headsOf(repository)) heads.set(`${repository.id}/${branch}`, sha);
  };
  const find = (repository: Repository, number: number): Issue => {
    const issue = repository.issues.get(number);
    if (issue === undefined) throw new Error(`there is no #${number}`);
    return issue;
  };
  const add = (
    repository: Repository,
    login: string | null,
    title: string,
    body: string | null,
    pull: Issue["pull"],
  ): Issue => {
    if (login !== null) state.account(login);
    const number = Math.max(0, ...repository.issues.keys()) + 1;
    const now = state.now();
    const issue: Issue = {
      id: state.nextId(),
      number,
      title,
      body,
      login,
      labels: [],
      state: "open",
      locked: false,
      createdAt: now,
      updatedAt: now,
      comments: [],
      reactions: [],
      pull,
    };
    repository.issues.set(number, issue);
    return issue;
  };
  const seen = (repository: Repository, issue: Issue): SeenPull => {
    const { pull } = issue;
    if (pull === null) throw new Error(`#${issue.number} is no pull request`);
    const log = repository.git.bytes(["log", "-z", "--reverse", "--format=%H%n%B", `${pull.baseSha}..${pull.headSha}`]);
    const commits = log
      .toString("utf8")
      .split("\0")
      .filter((entry) => entry !== "");
    return {
      number: issue.number,
      title: issue.title,
      body: issue.body ?? "",
      draft: pull.draft,
      state: issue.state,
      headRef: pull.headRef,
      headSha: pull.headSha,
      labels: issue.labels,
      comments: issue.comments,
      commits: commits.map((entry) => ({ sha: entry.slice(0, 40), message: entry.slice(41).trimEnd() })),
    };
  };
  const tell = (repository: Repository, issue: Issue, action: string, sender: string, more?: object): void => {
    if (issue.pull === null) events.issue(action, repository, issue, sender, more);
    else events.pull(action, repository, issue, sender, more);
  };
  const showLabel = (name: string): object => ({
    id: 1,
    node_id: "L",
    url: "https://github.invalid/l",
    name,
    color: "ededed",
    default: false,
    description: null,
  });

  return {
    createRepository({ owner, name, files, defaultBranch = "main", isPrivate = false }) {
      const git = openBareGit(world.root, owner, name, defaultBranch);
      const repository: Repository = {
        id: state.nextId(),
        owner,
        name,
        isPrivate,
        archived: false,
        defaultBranch,
        draftsSupported: true,
        git,
        roles: new Map(),
        issues: new Map(),
        labels: new Set(),
        checkRuns: [],
      };
      if (Object.keys(files).length > 0) commitFiles(git, defaultBranch, files, "Begin");
      state.repositories.push(repository);
      remember(repository);
      return Promise.resolve(repository);
    },
    setPermission(repository, login, role) {
      state.account(login);
      repository.roles.set(login.toLowerCase(), role);
    },
    commitFiles(repository, branch, files, by) {
      const before = repository.git.try(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]) ?? "0".repeat(40);
      const after = commitFiles(repository.git, branch, files, "Change");
      events.push(repository, branch, before, after, by);
      movePulls(events, repository, branch, after, by);
      remember(repository);
      return after;
    },
    createBranch: (repository, branch, from) => void repository.git.run(["branch", branch, from]),
    openIssue({ repo, login, title, body }) {
      const issue = add(repo, login, title, body, null);
      events.issue("opened", repo, issue, login ?? "ghost");
      return Promise.resolve(issue);
    },
    labelIssue(repository, number, login, label) {
      const issue = find(repository, number);
      if (!hasLabel(issue.labels, label)) issue.labels.push(label);
      repository.labels.add(label);
      tell(repository, issue, "labeled", login, { label: showLabel(label) });
      return Promise.resolve();
    },
    unlabelIssue(repository, number, login, label) {
      const issue = find(repository, number);
      const index = issue.labels.findIndex((item) => item.toLowerCase() === label.toLowerCase());
      if (index !== -1) issue.labels.splice(index, 1);
      tell(repository, issue, "unlabeled", login, { label: showLabel(label) });
      return Promise.resolve();
    },
    comment(repository, number, login, body) {
      state.account(login);
      const issue = find(repository, number);
      const now = state.now();
      const comment: Comment = { id: state.nextId(), login, body, createdAt: now, updatedAt: now, reactions: [] };
      issue.comments.push(comment);
      events.comment("created", repository, issue, comment, login);
      return Promise.resolve(comment);
    },
    editComment(repository, number, id, body) {
      const issue = find(repository, number);
      const comment = issue.comments.find((item) => item.id === id);
      if (comment === undefined) throw new Error(`there is no comment ${id}`);
      comment.body = body;
      events.comment("edited", repository, issue, comment, comment.login);
      return Promise.resolve();
    },
    closeIssue(repository, number, login) {
      const issue = find(repository, number);
      issue.state = "closed";
      tell(repository, issue, "closed", login);
      return Promise.resolve();
    },
    lockIssue(repository, number) {
      find(repository, number).locked = true;
    },
    openPullRequest({ repo, login, head, title, body }) {
      const headSha = repo.git.run(["rev-parse", `refs/heads/${head}`]);
      const baseSha = repo.git.run(["rev-parse", `refs/heads/${repo.defaultBranch}`]);
      const issue = add(repo, login, title, body, {
        headRef: head,
        headRepository: repo,
        headSha,
        baseRef: repo.defaultBranch,
        baseSha,
        draft: false,
        merged: false,
        requestedReviewers: [],
      });
      repo.git.run(["update-ref", `refs/pull/${issue.number}/head`, headSha]);
      events.pull("opened", repo, issue, login);
      return Promise.resolve(issue);
    },
    issue: find,
    pullRequest: (repository, number) => seen(repository, find(repository, number)),
    pullRequests: (repository) =>
      [...repository.issues.values()].filter((item) => item.pull !== null).map((item) => seen(repository, item)),
    checkRuns: (repository, sha) => repository.checkRuns.filter((run) => run.headSha === sha),
    branches: (repository) => [...headsOf(repository).keys()],
    readFile: (repository, ref, path) => repository.git.bytes(["show", `${ref}:${path}`]).toString("utf8"),
    noticePush(repository) {
      for (const [branch, after] of headsOf(repository)) {
        const key = `${repository.id}/${branch}`;
        const before = heads.get(key) ?? "0".repeat(40);
        if (before === after) continue;
        heads.set(key, after);
        events.push(repository, branch, before, after, "gavel[bot]");
        movePulls(events, repository, branch, after, "gavel[bot]");
      }
    },
  };
}
