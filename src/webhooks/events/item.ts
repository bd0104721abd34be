import { z } from "zod";
import type { HookReader } from "../hook-reading.ts";
import { readingOf } from "../hook-reading.ts";
import { account, issue, pullRequest } from "../payload.ts";

const onIssue = z.object({ issue, sender: account }).transform(({ issue, sender }) => ({ subject: issue, sender }));
const onPullRequest = z
  .object({ pull_request: pullRequest, sender: account })
  .transform(({ pull_request, sender }) => ({ subject: pull_request, sender }));

type Kind = "item-closed" | "item-deleted" | "item-transferred" | "item-reopened";

/** `issues` and `pull_request`: what happens to the item as a whole. */
export function readItem(kind: Kind): HookReader {
  return (payload) => {
    const { success, data } = z.union([onPullRequest, onIssue]).safeParse(payload);
    if (!success) return null;
    const { subject, sender } = data;
    return readingOf(subject, { kind, item: subject.item, sender }, sender);
  };
}
