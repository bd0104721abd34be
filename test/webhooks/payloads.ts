import type { Delivery } from "../../src/store/record.ts";

/** Parts of payloads as GitHub sends them, with what a test changes. */
export const origin = {
  installation: { id: 7 },
  repository: { id: 11, name: "app", owner: { login: "octo-org" }, default_branch: "trunk" },
};
export const maintainer = { login: "maintainer", type: "User" };
export const ownBot = { login: "gavel[bot]", type: "Bot" };
export const own = { appId: 99, botLogin: "gavel[bot]" };

const text = { title: "It breaks", body: "Here.", html_url: "https://github.com/octo-org/app/issues/3" };
const subject = {
  ...text,
  number: 3,
  user: { login: "contributor", type: "User" },
  updated_at: "2026-05-01T10:00:00Z",
};

export function issue(more: object = {}): object {
  return { ...subject, ...more };
}

export function pullRequest(more: object = {}): object {
  return { ...subject, number: 4, draft: false, head: { sha: "a".repeat(40), repo: null }, ...more };
}

export function labeled(more: object = {}): Record<string, unknown> {
  return { ...origin, action: "labeled", issue: issue(), label: { name: "gavel" }, sender: maintainer, ...more };
}

export function commented(body: string | null, more: object = {}, item: object = issue()): Record<string, unknown> {
  const comment = { id: 21, body, user: maintainer, created_at: "2026-05-02T10:00:00Z", ...more };
  return { ...origin, action: "created", issue: item, comment, sender: comment.user };
}

export function deliver(event: string, payload: Record<string, unknown>): Delivery {
  const action = typeof payload["action"] === "string" ? payload["action"] : null;
  return { hookId: "5", deliveryId: "d-1", event, action, payload, receivedAt: new Date("2026-05-03T00:00:00Z") };
}
