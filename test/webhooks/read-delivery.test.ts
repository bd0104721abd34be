import examples from "@octokit/webhooks-examples";
import { expect, test } from "vitest";
import { readDelivery } from "../../src/webhooks/read-delivery.ts";
import { irrelevance } from "../../src/webhooks/relevance.ts";
import { commented, deliver, issue, labeled, maintainer, origin, own, ownBot, pullRequest } from "./payloads.ts";

const contributor = { login: "contributor", type: "User" };
const inPullRequest = issue({ number: 4, pull_request: { url: "x" } });

test("a label becomes facts and a trigger with the text of that moment", () => {
  const read = readDelivery(deliver("issues", labeled()));
  expect(read?.facts("optional")).toEqual({
    kind: "labeled",
    item: { kind: "issue", number: 3 },
    label: "gavel",
    sender: maintainer,
  });
  expect(read?.trigger({ kind: "implement", cause: "label", instructions: "" })).toEqual({
    hookId: "5",
    deliveryId: "d-1",
    cause: "label",
    kind: "implement",
    repository: { installationId: 7, id: 11, owner: "octo-org", name: "app", defaultBranch: "trunk" },
    item: { kind: "issue", number: 3 },
    person: maintainer,
    brief: {
      title: "It breaks",
      body: "Here.",
      instructions: "",
      author: "contributor",
      url: "https://github.com/octo-org/app/issues/3",
    },
    label: "gavel",
    commentId: null,
    seenAt: { kind: "issue", number: 3 },
    headSha: null,
    at: "2026-05-01T10:00:00.000Z",
  });
});

test("a command on a pull request has the pull request's text from the same payload", () => {
  const read = readDelivery(deliver("issue_comment", commented("Hm.\n/judge the lock", {}, inPullRequest)));
  expect(read?.facts("optional")).toEqual({
    kind: "comment-created",
    item: { kind: "pull-request", number: 4 },
    author: maintainer,
    command: { name: "judge", rest: "the lock" },
  });
  expect(read?.facts("required")).toMatchObject({ command: null });
  expect(read?.trigger({ kind: "judge", cause: "command", instructions: "the lock" })).toMatchObject({
    brief: { title: "It breaks", body: "Here.", instructions: "the lock" },
    commentId: 21,
    seenAt: { kind: "comment", id: 21 },
    headSha: null,
    at: "2026-05-02T10:00:00.000Z",
  });
});

test("a pull request's own events hold its head", () => {
  const payload = { ...origin, action: "synchronize", pull_request: pullRequest(), sender: maintainer };
  const read = readDelivery(deliver("pull_request", payload));
  expect(read?.facts("optional")).toEqual({
    kind: "pull-request-changed",
    event: "synchronize",
    item: { kind: "pull-request", number: 4 },
    author: contributor,
    sender: maintainer,
    draft: false,
  });
  expect(read?.trigger({ kind: "judge", cause: "auto", instructions: "" })).toMatchObject({
    headSha: "a".repeat(40),
    person: contributor,
  });
});

test("reviews and comments on lines hold commands too", () => {
  const review = { id: 31, body: "/judge", user: maintainer, submitted_at: null };
  const reviewed = { ...origin, action: "submitted", pull_request: pullRequest(), review };
  expect(readDelivery(deliver("pull_request_review", reviewed))).toMatchObject({
    seenAt: { kind: "issue", number: 4 },
  });
  expect(readDelivery(deliver("pull_request_review", reviewed))?.facts("optional")).toMatchObject({
    kind: "review-submitted",
    command: { name: "judge" },
  });
  const comment = { id: 32, body: "/judge", user: maintainer };
  const onLine = { ...origin, action: "created", pull_request: pullRequest(), comment };
  const read = readDelivery(deliver("pull_request_review_comment", onLine));
  expect(read).toMatchObject({ seenAt: { kind: "review-comment", id: 32 } });
  expect(read?.trigger({ kind: "judge", cause: "command", instructions: "" })).toMatchObject({
    headSha: "a".repeat(40),
    at: "2026-05-03T00:00:00.000Z",
  });
});

test("odd payloads: null bodies, deleted accounts, whole seconds, a deleted fork, a date that is none", () => {
  const nobody = labeled({ issue: issue({ body: null, user: null, updated_at: 1_777_629_600 }), sender: null });
  const read = readDelivery(deliver("issues", nobody));
  expect(read?.facts("optional")).toMatchObject({ kind: "labeled", sender: null });
  const trigger = readDelivery(
    deliver("issues", labeled({ issue: issue({ body: null, user: null, updated_at: 1_777_629_600 }) })),
  )?.trigger({ kind: "implement", cause: "label", instructions: "" });
  expect(trigger).toMatchObject({ brief: { body: "", author: null }, at: "2026-05-01T10:00:00.000Z" });
  const fork = { ...origin, action: "closed", pull_request: pullRequest({ head: null }), sender: maintainer };
  expect(readDelivery(deliver("pull_request", fork))?.facts("optional")).toMatchObject({ kind: "item-closed" });
  const undated = readDelivery(deliver("issues", labeled({ issue: issue({ updated_at: "soon" }) })));
  expect(undated?.trigger({ kind: "implement", cause: "label", instructions: "" }).at).toBe("2026-05-03T00:00:00.000Z");
});

test.each([
  ["a label", "issues", labeled(), true],
  ["a label by another bot", "issues", labeled({ sender: { login: "other[bot]", type: "Bot" } }), true],
  ["our own label", "issues", labeled({ sender: ownBot }), false],
  ["our own label, the login without [bot]", "issues", labeled({ sender: { login: "Gavel", type: "Bot" } }), false],
  ["a person with our bot's bare name", "issues", labeled({ sender: { login: "gavel", type: "User" } }), true],
  ["a label by a deleted account", "issues", labeled({ sender: null }), false],
  ["a label without an installation", "issues", labeled({ installation: undefined }), false],
  ["a label taken off", "issues", labeled({ action: "unlabeled" }), false],
  ["an issue opened", "issues", labeled({ action: "opened" }), false],
  ["an issue closed", "issues", labeled({ action: "closed", label: undefined }), true],
  ["a comment with a command", "issue_comment", commented("/judge"), true],
  ["one in a fence: decided later", "issue_comment", commented("```\n/judge\n```"), true],
  ["a comment without", "issue_comment", commented("see /judge"), false],
  ["a comment without a body", "issue_comment", commented(null), false],
  ["our own comment with a command", "issue_comment", commented("/judge", { user: ownBot }), false],
  ["ours by the App", "issue_comment", commented("/judge", { performed_via_github_app: { id: 99 } }), false],
  ["another App's", "issue_comment", commented("/judge", { performed_via_github_app: { id: 98 } }), true],
  ["a deleted account's command", "issue_comment", commented("/judge", { user: null }), false],
  ["an edited comment", "issue_comment", { ...commented("/judge"), action: "edited" }, false],
  ["a deleted comment", "issue_comment", { ...commented("/judge"), action: "deleted" }, false],
  ["the App taken away", "installation", { action: "deleted", installation: { id: 7 }, sender: maintainer }, true],
  ["a push", "push", { ...origin, ref: "refs/heads/trunk" }, false],
  ["nothing at all", "issues", {}, false],
  ["an action that is an object's own", "issues", labeled({ action: "__proto__" }), false],
  [
    "a draft",
    "pull_request",
    { ...origin, action: "opened", pull_request: pullRequest({ draft: true }), sender: maintainer },
    false,
  ],
] as const)("%s: stored? (%s)", (_what, event, payload, stored) => {
  const { action } = deliver(event, payload);
  expect(irrelevance(event, action, payload, own) === null).toBe(stored);
});

/** The package's types are written for another kind of module. */
const published = examples as unknown as readonly {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}[];

test("every example that GitHub published can be read, and those that matter are", () => {
  const seen = new Map<string, number>();
  for (const { name, examples: payloads } of published) {
    for (const payload of payloads) {
      const withInstallation = { installation: { id: 7 }, ...payload };
      const kind = readDelivery(deliver(name, withInstallation))?.facts("optional").kind ?? "none";
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      irrelevance(name, deliver(name, payload).action, payload, own);
    }
  }
  for (const kind of [
    "labeled",
    "unlabeled",
    "comment-created",
    "comment-changed",
    "review-submitted",
    "item-closed",
    "item-deleted",
    "item-transferred",
    "item-reopened",
    "pull-request-changed",
  ]) {
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0);
  }
  expect(seen.get("none")).toBeGreaterThan(100);
});
