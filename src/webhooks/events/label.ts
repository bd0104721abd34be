import { z } from "zod";
import type { HookReader } from "../hook-reading.ts";
import { readingOf } from "../hook-reading.ts";
import { account, issue, label, pullRequest } from "../payload.ts";

const onIssue = z
  .object({ issue, label, sender: account })
  .transform((payload) => ({ ...payload, subject: payload.issue }));
const onPullRequest = z
  .object({ pull_request: pullRequest, label, sender: account })
  .transform((payload) => ({ ...payload, subject: payload.pull_request }));

/** `issues` and `pull_request`: labeled, unlabeled. Several labels in one burst are as many events. */
export function readLabel(kind: "labeled" | "unlabeled"): HookReader {
  return (payload) => {
    const { success, data } = z.union([onPullRequest, onIssue]).safeParse(payload);
    if (!success) return null;
    const { subject, sender } = data;
    return readingOf(subject, { kind, item: subject.item, label: data.label.name, sender }, sender, data.label.name);
  };
}
