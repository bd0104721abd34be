import type { Shower } from "./show.ts";
import type { Comment, Issue, Repository } from "./state.ts";
import type { Hooks } from "./webhooks.ts";

/** Webhooks as GitHub sends them when somebody does something. */
export interface Events {
  issue(action: string, repository: Repository, issue: Issue, sender: string, more?: object): void;
  comment(action: string, repository: Repository, issue: Issue, comment: Comment, sender: string): void;
  pull(action: string, repository: Repository, issue: Issue, sender: string, more?: object): void;
  push(repository: Repository, branch: string, before: string, after: string, sender: string): void;
}

const noCommit = "0".repeat(40);

export function openEvents(hooks: Hooks, show: Shower, installationId: number): Events {
  const common = (repository: Repository, sender: string): object => ({
    repository: show.repository(repository),
    sender: show.user(sender),
    installation: { id: installationId, node_id: "I" },
  });
  return {
    issue: (action, repository, issue, sender, more = {}) =>
      hooks.emit("issues", action, { issue: show.issue(repository, issue), ...common(repository, sender), ...more }),
    comment: (action, repository, issue, comment, sender) =>
      hooks.emit("issue_comment", action, {
        issue: show.issue(repository, issue),
        comment: show.comment(repository, issue, comment),
        ...common(repository, sender),
      }),
    pull: (action, repository, issue, sender, more = {}) =>
      hooks.emit("pull_request", action, {
        number: issue.number,
        pull_request: show.pull(repository, issue),
        ...common(repository, sender),
        ...more,
      }),
    push(repository, branch, before, after, sender) {
      hooks.emit("push", null, {
        ref: `refs/heads/${branch}`,
        before,
        after,
        created: before === noCommit,
        deleted: after === noCommit,
        forced: false,
        base_ref: null,
        compare: "",
        commits: [],
        head_commit: null,
        pusher: { name: sender, email: null },
        ...common(repository, sender),
      });
    },
  };
}
