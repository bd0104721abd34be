import { type Files, makeCommit, tellMovedBranches } from "./acts/branches.ts";
import { addComment, deleteComment, editComment, findComment } from "./acts/comments.ts";
import { editItem, lockItem, makeIssue, setItemState } from "./acts/issues.ts";
import { addLabel, removeLabel } from "./acts/labels.ts";
import { mergePull, openPull, retarget, setDraft } from "./acts/pulls.ts";
import { deleteFork, makeBranch, makeFork, makeRepository, type WantedRepository } from "./acts/repositories.ts";
import { submitReview, type WantedComment } from "./acts/reviews.ts";
import type { Core } from "./core.ts";
import { branchHead } from "./git/bare.ts";
import { tellCheckRun, tellItem } from "./hooks/events.ts";
import { ghost, type Repository, type Role } from "./state.ts";
import type { Comment, Issue } from "./state-issues.ts";
import type { Review } from "./state-pulls.ts";

/**
 * What people do in a browser or with git. Each does it at once and sends its webhooks; all promise, as a client of
 * a real server would have to, so that callers need not know.
 */
export type People = ReturnType<typeof openPeople>;

export function openPeople(core: Core) {
  const find = (repository: Repository, number: number): Issue => {
    const issue = repository.issues.get(number);
    if (issue === undefined) throw new Error(`there is no #${number}`);
    return issue;
  };
  const comment = (repository: Repository, id: number): { issue: Issue; comment: Comment } => {
    const found = findComment(repository, id);
    if (found === null) throw new Error(`there is no comment ${id}`);
    return found;
  };
  return {
    createRepository: async (wanted: WantedRepository): Promise<Repository> => makeRepository(core, wanted),
    /** A copy under a person's account; commits on it reach the parent through pull requests. */
    createFork: async (parent: Repository, login: string): Promise<Repository> => makeFork(core, parent, login),
    deleteFork: (fork: Repository): void => deleteFork(core, fork),
    setPermission(repository: Repository, login: string, role: Role): void {
      core.state.account(login);
      repository.roles.set(login.toLowerCase(), role);
    },
    createBranch: (repository: Repository, branch: string, from: string, login = "contributor"): void =>
      makeBranch(core, repository, branch, from, login),
    /** Commits and pushes to a branch, made from the default branch where it is missing; null deletes a file. Returns the commit's id. */
    commitFiles(
      repository: Repository,
      branch: string,
      files: Files,
      by: string | { readonly login: string; readonly message: string },
    ): string {
      const who = typeof by === "string" ? { login: by, message: "Change files" } : by;
      const parent = branchHead(repository.git, branch) ?? branchHead(repository.git, repository.defaultBranch);
      const sha = makeCommit(core, repository.git, parent, files, who);
      repository.git.run(["update-ref", `refs/heads/${branch}`, sha]);
      tellMovedBranches(core, repository, who.login);
      return sha;
    },
    /** Moves a branch anywhere, as a push with force does. */
    forcePush(repository: Repository, branch: string, to: string, login: string): void {
      repository.git.run(["update-ref", `refs/heads/${branch}`, to]);
      tellMovedBranches(core, repository, login);
    },
    deleteBranch(repository: Repository, branch: string, login: string): void {
      repository.git.run(["update-ref", "-d", `refs/heads/${branch}`]);
      tellMovedBranches(core, repository, login);
    },
    async openIssue(wanted: {
      readonly repo: Repository;
      /** null: an account that is deleted by now. */
      readonly login: string | null;
      readonly title: string;
      readonly body: string | null;
    }): Promise<Issue> {
      const issue = makeIssue(core, wanted.repo, { ...wanted, pull: null });
      tellItem(core, wanted.repo, issue, "opened", wanted.login ?? ghost);
      return issue;
    },
    async editIssue(
      repository: Repository,
      number: number,
      login: string,
      to: { readonly title?: string; readonly body?: string | null },
    ): Promise<void> {
      editItem(core, repository, find(repository, number), login, to);
    },
    async closeIssue(repository: Repository, number: number, login: string): Promise<void> {
      setItemState(core, repository, find(repository, number), login, "closed");
    },
    async reopenIssue(repository: Repository, number: number, login: string): Promise<void> {
      setItemState(core, repository, find(repository, number), login, "open");
    },
    lockIssue: (repository: Repository, number: number, login = repository.owner): void =>
      lockItem(core, repository, find(repository, number), login, true),
    async labelIssue(repository: Repository, number: number, login: string, label: string): Promise<void> {
      addLabel(core, repository, find(repository, number), login, label);
    },
    async unlabelIssue(repository: Repository, number: number, login: string, label: string): Promise<void> {
      removeLabel(core, repository, find(repository, number), login, label);
    },
    /** `ghost` writes for an account that is deleted by now. */
    comment: async (repository: Repository, number: number, login: string, body: string): Promise<Comment> =>
      addComment(core, repository, find(repository, number), login, body),
    async editComment(repository: Repository, id: number, login: string, body: string): Promise<void> {
      const found = comment(repository, id);
      editComment(core, repository, found.issue, found.comment, login, body);
    },
    async deleteComment(repository: Repository, id: number, login: string): Promise<void> {
      const found = comment(repository, id);
      deleteComment(core, repository, found.issue, found.comment, login);
    },
    /** `head` is a branch, or `owner:branch` of a fork. Throws with GitHub's reason where it refuses. */
    async openPullRequest(wanted: {
      readonly repo: Repository;
      readonly login: string | null;
      readonly head: string;
      readonly base?: string;
      readonly title: string;
      readonly body: string | null;
      readonly draft?: boolean;
    }): Promise<Issue> {
      const { repo, base = repo.defaultBranch, draft = false } = wanted;
      const opened = openPull(core, repo, { ...wanted, base, draft });
      if ("refusal" in opened) throw new Error(opened.refusal);
      return opened;
    },
    async closePullRequest(repository: Repository, number: number, login: string): Promise<void> {
      setItemState(core, repository, find(repository, number), login, "closed");
    },
    async mergePullRequest(repository: Repository, number: number, login: string): Promise<void> {
      if (mergePull(core, repository, find(repository, number), login) === null) throw new Error("not mergeable");
    },
    async retargetPullRequest(repository: Repository, number: number, login: string, base: string): Promise<void> {
      retarget(core, repository, find(repository, number), login, base);
    },
    async setDraft(repository: Repository, number: number, login: string, draft: boolean): Promise<void> {
      setDraft(core, repository, find(repository, number), login, draft);
    },
    review: async (
      repository: Repository,
      number: number,
      review: {
        readonly login: string;
        readonly body: string;
        readonly state?: Review["state"];
        readonly comments?: readonly WantedComment[];
      },
    ): Promise<Review> =>
      submitReview(core, repository, find(repository, number), {
        state: "COMMENTED",
        commitSha: null,
        comments: [],
        ...review,
      }).review,
    /** "Re-run" on a check run of the App, or one of its buttons. */
    async pressCheckRun(repository: Repository, id: number, login: string, button: string | null): Promise<void> {
      const run = repository.checkRuns.find((item) => item.id === id);
      if (run === undefined) throw new Error(`there is no check run ${id}`);
      core.state.account(login);
      if (button === null) tellCheckRun(core, repository, run, "rerequested", login);
      else {
        const more = { requested_action: { identifier: button } };
        tellCheckRun(core, repository, run, "requested_action", login, more);
      }
    },
  };
}
