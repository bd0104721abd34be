import { z } from "zod";
import type { HookReader } from "../hook-reading.ts";
import { aboutSubject } from "../hook-reading.ts";
import { account, issue, pullRequest, text, time } from "../payload.ts";

const comment = z.object({
  id: z.int().min(1),
  body: text,
  user: account,
  created_at: time,
  performed_via_github_app: z.object({ id: z.int() }).nullish().catch(null),
});

const onIssue = z.object({ issue, comment }).transform(({ issue, comment }) => ({ subject: issue, comment }));
const onPullRequest = z
  .object({ pull_request: pullRequest, comment })
  .transform(({ pull_request, comment }) => ({ subject: pull_request, comment }));

/** `issue_comment` and `pull_request_review_comment`: created. The item's title and body come from this same payload. */
export const readComment: HookReader = (payload, findCommand) => {
  const onDiff = onPullRequest.safeParse(payload);
  const { success, data } = onDiff.success ? onDiff : onIssue.safeParse(payload);
  if (!success) return null;
  const { subject, comment } = data;
  return {
    facts: {
      kind: "comment-created",
      item: subject.item,
      author: comment.user,
      command: findCommand(comment.body),
    },
    about: aboutSubject(subject, comment.created_at),
    person: comment.user,
    viaAppId: comment.performed_via_github_app?.id ?? null,
    // The two kinds of comments have ids of their own each: only one on the item itself is found by it later.
    label: null,
    commentId: onDiff.success ? null : comment.id,
    seenAt: { kind: onDiff.success ? "review-comment" : "comment", id: comment.id },
  };
};

/** Edited and deleted comments start nothing, whatever they hold: only that it happened is read. */
export const readChangedComment: HookReader = (payload) => {
  const { success, data } = z.union([onPullRequest, onIssue]).safeParse(payload);
  if (!success) return null;
  const { subject, comment } = data;
  return {
    facts: { kind: "comment-changed", item: subject.item },
    about: aboutSubject(subject),
    person: comment.user,
    viaAppId: null,
    label: null,
    commentId: null,
    seenAt: { kind: "nowhere" },
  };
};
