import type { Core } from "../core.ts";
import { tellItem } from "../hooks/events.ts";
import { showAccount } from "../show/account.ts";
import type { Json } from "../show/values.ts";
import type { Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import type { Pull } from "../state-pulls.ts";

/** Makes an issue, or a pull request with what `pull` says, and tells nobody yet. */
export function makeIssue(
  core: Core,
  repository: Repository,
  wanted: {
    readonly login: string | null;
    readonly title: string;
    readonly body: string | null;
    readonly pull: Pull | null;
  },
): Issue {
  if (wanted.login !== null) core.state.account(wanted.login);
  const now = core.state.now();
  const issue: Issue = {
    ...wanted,
    body: wanted.body === "" ? null : wanted.body,
    id: core.state.nextId(),
    number: Math.max(0, ...repository.issues.keys()) + 1,
    labels: [],
    assignees: [],
    state: "open",
    locked: false,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    comments: [],
    reactions: [],
    events: [],
  };
  repository.issues.set(issue.number, issue);
  return issue;
}

/** Notes something in the timeline, and that the issue changed. */
export function noteEvent(core: Core, issue: Issue, login: string, event: string, more: Json = {}): void {
  core.state.account(login);
  const now = core.state.now();
  issue.updatedAt = now;
  issue.events.push({ id: core.state.nextId(), event, login, createdAt: now, more });
}

export function editItem(
  core: Core,
  repository: Repository,
  issue: Issue,
  login: string,
  to: { readonly title?: string; readonly body?: string | null },
): void {
  const changes: Record<string, { from: string }> = {};
  if (to.title !== undefined && to.title !== issue.title) {
    changes["title"] = { from: issue.title };
    noteEvent(core, issue, login, "renamed", { rename: { from: issue.title, to: to.title } });
    issue.title = to.title;
  }
  const body = to.body === "" ? null : to.body;
  if (body !== undefined && body !== issue.body) {
    changes["body"] = { from: issue.body ?? "" };
    issue.body = body;
    issue.updatedAt = core.state.now();
  }
  if (Object.keys(changes).length > 0) tellItem(core, repository, issue, "edited", login, { changes });
}

/** Closes or reopens; nothing happens where it is so already. */
export function setItemState(
  core: Core,
  repository: Repository,
  issue: Issue,
  login: string,
  state: "open" | "closed",
): void {
  if (issue.state === state) return;
  const event = state === "closed" ? "closed" : "reopened";
  noteEvent(core, issue, login, event, event === "closed" ? { state_reason: null } : {});
  issue.state = state;
  issue.closedAt = state === "closed" ? core.state.now() : null;
  tellItem(core, repository, issue, event, login);
}

export function lockItem(core: Core, repository: Repository, issue: Issue, login: string, locked: boolean): void {
  if (issue.locked === locked) return;
  issue.locked = locked;
  noteEvent(core, issue, login, locked ? "locked" : "unlocked", locked ? { lock_reason: null } : {});
  tellItem(core, repository, issue, locked ? "locked" : "unlocked", login);
}

export function assignItem(core: Core, repository: Repository, issue: Issue, login: string, who: string): void {
  if (issue.assignees.includes(who)) return;
  issue.assignees.push(who);
  const assignee = showAccount(core, who);
  noteEvent(core, issue, login, "assigned", { assignee, assigner: showAccount(core, login) });
  tellItem(core, repository, issue, "assigned", login, { assignee });
}
