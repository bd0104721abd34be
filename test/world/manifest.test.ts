import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Fixture, openClient, openFixture } from "./fixture.ts";

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(async () => {
  await fixture.close();
});

/** Nobody listens at this port of loopback. */
const nowhere = "http://127.0.0.1:9";

const post = (manifest: object): Promise<Response> =>
  fetch(`${fixture.world.url}/settings/apps/new?state=s`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ manifest: JSON.stringify(manifest) }),
  });

it("makes an App from a manifest: a code, once, for keys that work", async () => {
  const { world } = fixture;
  const answer = await post({
    name: "my-gavel",
    redirect_url: `${nowhere}/probot/setup`,
    hook_attributes: { url: `${nowhere}/api/github/webhooks` },
    default_permissions: { issues: "write" },
    default_events: ["issues"],
  });
  expect(answer.status).toBe(302);
  const back = new URL(answer.headers.get("location") ?? "");
  expect(`${back.origin}${back.pathname}`).toBe(`${nowhere}/probot/setup`);
  expect(back.searchParams.get("state")).toBe("s");
  const client = openClient({ baseUrl: `${world.url}/api/v3` });
  const code = back.searchParams.get("code") ?? "";
  const { data } = await client.rest.apps.createFromManifest({ code });
  expect(data).toMatchObject({ name: "my-gavel", permissions: { issues: "write", metadata: "read" } });
  await expect(client.rest.apps.createFromManifest({ code })).rejects.toMatchObject({ status: 404 });
  const baseUrl = `${world.url}/api/v3`;
  const app = openClient({
    baseUrl,
    authStrategy: createAppAuth,
    auth: { appId: data.id, privateKey: data.pem, request: request.defaults({ baseUrl }) },
  });
  expect((await app.rest.apps.getAuthenticated()).data?.events).toEqual(["issues"]);
  const issue = await world.openIssue({ repo: fixture.repository, login: "contributor", title: "t", body: null });
  await world.comment(fixture.repository, issue.number, "contributor", "not asked for");
  await world.deliveriesSettled();
  expect(world.deliveries.map((delivery) => delivery.event)).toEqual(["issues"]);
  expect((await app.rest.apps.getWebhookConfigForApp()).data.url).toBe(`${nowhere}/api/github/webhooks`);
});

it("refuses a manifest without a way back, or without a webhook address", async () => {
  expect((await post({ hook_attributes: { url: "http://x" } })).status).toBe(422);
  expect((await post({ redirect_url: "http://x" })).status).toBe(422);
});
