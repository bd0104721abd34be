import { afterEach, beforeEach, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
let number = 0;

beforeEach(async () => {
  fixture = await openFixture();
  const { world, repository } = fixture;
  number = (await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null })).number;
});

afterEach(async () => {
  await fixture.close();
});

const comment = () => fixture.bot.rest.issues.createComment({ ...fixture.at, issue_number: number, body: "b" });
const comments = (): number => fixture.world.issue(fixture.repository, number).comments.length;

it("answers a status in a route's place, as often as was said", async () => {
  fixture.world.faults.add({
    method: "POST",
    route: "/comments",
    times: 2,
    kind: "status",
    status: 409,
    message: "no",
  });
  await expect(comment()).rejects.toMatchObject({ status: 409, message: expect.stringContaining("no") as string });
  await expect(comment()).rejects.toMatchObject({ status: 409 });
  await comment();
  expect(comments()).toBe(1);
});

it("does what was asked, and loses the answer", async () => {
  fixture.world.faults.add({ route: "/comments", times: 1, kind: "after-write-502" });
  await expect(comment()).rejects.toMatchObject({ status: 502 });
  expect(comments()).toBe(1);
});

it("limits in both of GitHub's ways, and does nothing", async () => {
  fixture.world.faults.add({ times: 1, route: "/comments", kind: "primary-limit", retryAfterSeconds: 7 });
  const seconds = Math.floor(Date.now() / 1000);
  const primary = await comment().catch((error: unknown) => error as { response: { headers: Record<string, string> } });
  expect(primary).toMatchObject({ status: 403, response: { headers: { "x-ratelimit-remaining": "0" } } });
  expect(
    Number((primary as { response: { headers: Record<string, string> } }).response.headers["x-ratelimit-reset"]),
  ).toBeGreaterThanOrEqual(seconds + 7);
  fixture.world.faults.add({ times: 1, route: "/comments", kind: "secondary-limit", retryAfterSeconds: 3 });
  await expect(comment()).rejects.toMatchObject({ status: 403, response: { headers: { "retry-after": "3" } } });
  expect(comments()).toBe(0);
});

it("is slow, and answers nevertheless", async () => {
  fixture.world.faults.add({ times: 1, route: "/comments", kind: "slow", milliseconds: 60 });
  const began = performance.now();
  await comment();
  // Timers may fire a little early, by the clock that measures here.
  expect(performance.now() - began).toBeGreaterThan(55);
});

it("writes a journal of what was asked", async () => {
  await comment();
  expect(fixture.world.requests.at(-1)).toMatchObject({
    method: "POST",
    route: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    status: 201,
    installation: fixture.world.installationId,
  });
  expect(fixture.world.requests.at(-2)).toMatchObject({
    route: "/app/installations/{installation_id}/access_tokens",
    installation: null,
  });
});
