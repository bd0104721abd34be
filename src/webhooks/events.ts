import { readChangedComment, readComment } from "./events/comment.ts";
import { readUninstalled } from "./events/installation.ts";
import { readItem } from "./events/item.ts";
import { readLabel } from "./events/label.ts";
import { readPullRequest } from "./events/pull-request.ts";
import { readReview } from "./events/review.ts";
import type { CommandFinder, HookReader, HookReading } from "./hook-reading.ts";

/** Every event that is looked at, by event and action; all others mean nothing here. One row, one reader. */
const readers: Readonly<Record<string, HookReader>> = {
  "issues.labeled": readLabel("labeled"),
  "issues.unlabeled": readLabel("unlabeled"),
  "issues.closed": readItem("item-closed"),
  "issues.deleted": readItem("item-deleted"),
  "issues.transferred": readItem("item-transferred"),
  "issues.reopened": readItem("item-reopened"),
  "issue_comment.created": readComment,
  "issue_comment.edited": readChangedComment,
  "issue_comment.deleted": readChangedComment,
  "pull_request.labeled": readLabel("labeled"),
  "pull_request.unlabeled": readLabel("unlabeled"),
  "pull_request.closed": readItem("item-closed"),
  "pull_request.reopened": readItem("item-reopened"),
  "pull_request.opened": readPullRequest("opened"),
  "pull_request.ready_for_review": readPullRequest("ready_for_review"),
  "pull_request.synchronize": readPullRequest("synchronize"),
  "pull_request_review.submitted": readReview,
  "pull_request_review_comment.created": readComment,
  "pull_request_review_comment.edited": readChangedComment,
  "pull_request_review_comment.deleted": readChangedComment,
  "installation.deleted": readUninstalled,
  "installation.suspend": readUninstalled,
  "installation_repositories.removed": readUninstalled,
};

const events = new Set(Object.keys(readers).map((name) => name.split(".")[0]));

/** Whether any action of this event has a reader: the body of another need not be parsed. */
export function isKnownEvent(event: string): boolean {
  return events.has(event);
}

/** Reads a payload by its event and action. null: it has no reader, or lacks what the reader needs. Never throws. */
export function readHook(
  event: string,
  action: string | null,
  payload: unknown,
  findCommand: CommandFinder,
): HookReading | null {
  const name = `${event}.${action ?? ""}`;
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return reader?.(payload, findCommand) ?? null;
}
