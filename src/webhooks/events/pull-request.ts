import { z } from "zod";
import type { AutoEvent } from "../../domain/hook-facts.ts";
import type { HookReader } from "../hook-reading.ts";
import { readingOf } from "../hook-reading.ts";
import { account, pullRequest } from "../payload.ts";

const schema = z.object({ pull_request: pullRequest, sender: account });

/** `pull_request`: opened, ready_for_review, synchronize. */
export function readPullRequest(event: AutoEvent): HookReader {
  return (payload) => {
    const { success, data } = schema.safeParse(payload);
    if (!success) return null;
    const { pull_request: subject, sender } = data;
    const { item, draft, user: author } = subject;
    // The author's right is asked, so the author is who the chain is for: anyone with write access can push.
    return readingOf(subject, { kind: "pull-request-changed", event, item, author, sender, draft }, author);
  };
}
