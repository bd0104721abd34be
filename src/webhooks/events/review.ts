import { z } from "zod";
import type { HookReader } from "../hook-reading.ts";
import { aboutSubject } from "../hook-reading.ts";
import { account, pullRequest, text, time } from "../payload.ts";

const schema = z.object({
  pull_request: pullRequest,
  review: z.object({ id: z.int().min(1), body: text, user: account, submitted_at: time }),
});

/** `pull_request_review`: submitted. Nothing can react to a review: the pull request shows that it was seen. */
export const readReview: HookReader = (payload, findCommand) => {
  const { success, data } = schema.safeParse(payload);
  if (!success) return null;
  const { pull_request: subject, review } = data;
  return {
    facts: { kind: "review-submitted", item: subject.item, author: review.user, command: findCommand(review.body) },
    about: aboutSubject(subject, review.submitted_at),
    person: review.user,
    viaAppId: null,
    label: null,
    commentId: null,
    seenAt: { kind: "issue", number: subject.item.number },
  };
};
