import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, openFixture, openReceiver } from "./fixture.ts";

let fixture: Fixture;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeEach(async () => {
  fixture = await openFixture();
  receiver = await openReceiver();
  fixture.world.setWebhookTarget(receiver.url);
});

afterEach(async () => {
  await receiver.close();
  await fixture.close();
});

const signatureOf = (body: string): string =>
  `sha256=${createHmac("sha256", fixture.world.webhookSecret).update(body).digest("hex")}`;

const openIssue = async (title = "t"): Promise<number> =>
  (await fixture.world.openIssue({ repo: fixture.repository, login: "contributor", title, body: null })).number;

describe("a delivery", () => {
  it("is signed, and says where it comes from", async () => {
    const { world, repository } = fixture;
    await openIssue();
    await world.deliveriesSettled();
    const [got] = receiver.received;
    expect(got?.headers["x-hub-signature-256"]).toBe(signatureOf(got?.body ?? ""));
    expect(got?.headers).toMatchObject({
      "x-github-event": "issues",
      "x-github-hook-id": expect.stringMatching(/^\d+$/) as string,
      "x-github-hook-installation-target-id": String(world.appId),
      "x-github-hook-installation-target-type": "integration",
      "x-github-delivery": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(got?.payload).toMatchObject({
      action: "opened",
      installation: { id: world.installationId },
      repository: { id: repository.id },
      organization: { login: "octo-org" },
      sender: { login: "contributor", type: "User" },
    });
  });

  it("holds what was so when it happened, not when it left", async () => {
    const number = await openIssue("before");
    await fixture.world.editIssue(fixture.repository, number, "contributor", { title: "after" });
    await fixture.world.deliveriesSettled();
    const titles = receiver.received.map(({ payload }) => (payload["issue"] as { title: string }).title);
    expect(titles).toEqual(["before", "after"]);
    expect(receiver.received[1]?.payload["changes"]).toEqual({ title: { from: "before" } });
  });

  it("is not sent for events that the App did not ask for, nor for what changed nothing", async () => {
    const { world, repository, bot, at } = fixture;
    const number = await openIssue();
    await world.labelIssue(repository, number, "contributor", "one");
    await world.labelIssue(repository, number, "contributor", "ONE");
    await world.closeIssue(repository, number, "contributor");
    await world.closeIssue(repository, number, "contributor");
    await bot.rest.issues.createLabel({ ...at, name: "another" });
    await world.deliveriesSettled();
    expect(receiver.names()).toEqual(["issues.opened", "issues.labeled", "issues.closed"]);
  });

  it("is made for everything that people do with a pull request", async () => {
    const { world, repository } = fixture;
    world.commitFiles(repository, "topic", { "a.txt": "1\n" }, { login: "contributor", message: "Change" });
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "contributor",
      head: "topic",
      title: "t",
      body: "b",
      draft: true,
    });
    const before = world.pullRequest(repository, number).headSha;
    const after = world.commitFiles(repository, "topic", { "a.txt": "2\n" }, "contributor");
    await world.setDraft(repository, number, "contributor", false);
    await world.editIssue(repository, number, "contributor", { body: "c" });
    world.createBranch(repository, "base", "main");
    await world.retargetPullRequest(repository, number, "contributor", "base");
    await world.labelIssue(repository, number, "maintainer", "gavel");
    await world.unlabelIssue(repository, number, "maintainer", "gavel");
    await world.comment(repository, number, "maintainer", "/judge");
    await world.review(repository, number, { login: "maintainer", body: "/judge" });
    await world.closePullRequest(repository, number, "contributor");
    await world.reopenIssue(repository, number, "contributor");
    world.forcePush(repository, "topic", before, "contributor");
    world.deleteBranch(repository, "topic", "contributor");
    await world.deliveriesSettled();
    expect(receiver.names()).toEqual([
      "push",
      "pull_request.opened",
      "push",
      "pull_request.synchronize",
      "pull_request.ready_for_review",
      "pull_request.edited",
      "push",
      "pull_request.edited",
      "pull_request.labeled",
      "pull_request.unlabeled",
      "issue_comment.created",
      "pull_request_review.submitted",
      "pull_request.closed",
      "pull_request.reopened",
      "push",
      "pull_request.synchronize",
      "push",
    ]);
    const [created, , pushed, moved] = receiver.received;
    expect(created?.payload).toMatchObject({
      created: true,
      before: "0".repeat(40),
      ref: "refs/heads/topic",
      commits: [{ message: "Change\n", modified: ["a.txt"], added: [] }],
    });
    expect(pushed?.payload).toMatchObject({ before, after, forced: false });
    expect(moved?.payload).toMatchObject({ before, after, pull_request: { head: { sha: after } } });
    expect(receiver.received[14]?.payload).toMatchObject({ forced: true });
    expect(receiver.received[16]?.payload).toMatchObject({ deleted: true, head_commit: null });
    expect(
      (receiver.received[10]?.payload["issue"] as { pull_request?: object } | undefined)?.pull_request,
    ).toBeDefined();
  });

  it("is made for the buttons of a check run", async () => {
    const { world, repository, bot, at } = fixture;
    const sha = repository.git.run(["rev-parse", "main"]);
    const { data } = await bot.rest.checks.create({ ...at, name: "gavel", head_sha: sha });
    await world.pressCheckRun(repository, data.id, "maintainer", null);
    await world.pressCheckRun(repository, data.id, "maintainer", "judge");
    await world.deliveriesSettled();
    expect(receiver.names()).toEqual(["check_run.created", "check_run.rerequested", "check_run.requested_action"]);
    expect(receiver.received[2]?.payload).toMatchObject({
      requested_action: { identifier: "judge" },
      sender: { login: "maintainer" },
    });
  });

  it("of a deleted comment and of an edited one says what it was", async () => {
    const { world, repository } = fixture;
    const number = await openIssue();
    const { id } = await world.comment(repository, number, "contributor", "/implement");
    await world.editComment(repository, id, "contributor", "/cancel");
    await world.deleteComment(repository, id, "contributor");
    await world.deliveriesSettled();
    expect(receiver.names().slice(1)).toEqual([
      "issue_comment.created",
      "issue_comment.edited",
      "issue_comment.deleted",
    ]);
    expect(receiver.received[2]?.payload["changes"]).toEqual({ body: { from: "/implement" } });
    expect(world.issue(repository, number).comments).toEqual([]);
  });
});

describe("deliveries that go wrong", () => {
  it("are dropped, doubled, or overtaken, as was asked", async () => {
    const { world } = fixture;
    for (const kind of ["drop-delivery", "double-delivery", "late-delivery"] as const)
      world.faults.add({ kind, times: 1 });
    for (const title of ["dropped", "doubled", "late", "next"]) await openIssue(title);
    await world.deliveriesSettled();
    const titles = receiver.received.map(({ payload }) => (payload["issue"] as { title: string }).title);
    expect(titles).toEqual(["doubled", "doubled", "next", "late"]);
    const ids = receiver.received.map(({ headers }) => headers["x-github-delivery"]);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
  });

  it("are listed with their answers, and sent again under the same id", async () => {
    const { world, app } = fixture;
    world.setWebhookTarget(null);
    await openIssue("lost");
    await world.deliveriesSettled();
    world.setWebhookTarget(receiver.url);
    await openIssue("arrived");
    await world.deliveriesSettled();
    const { data: failed } = await app.rest.apps.listWebhookDeliveries({ status: "failure" });
    expect(failed).toMatchObject([{ event: "issues", action: "opened", status_code: 0, redelivery: false }]);
    const { data: newest } = await app.rest.apps.listWebhookDeliveries({ per_page: 1 });
    expect(newest).toMatchObject([{ status_code: 200, status: "OK" }]);
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id: failed[0]?.id ?? 0 });
    await world.deliveriesSettled();
    const [, again] = receiver.received;
    expect(again?.payload["issue"]).toMatchObject({ title: "lost" });
    expect(again?.headers["x-github-delivery"]).toBe(failed[0]?.guid);
    const all = await app.paginate("GET /app/hook/deliveries", { per_page: 1 });
    expect(all.map((item) => item.redelivery)).toEqual([true, false, false]);
    const { data: one } = await app.rest.apps.getWebhookDelivery({ delivery_id: all[0]?.id ?? 0 });
    expect(one.response.payload).toBe("taken");
  });

  it("may be anything that a test makes up", async () => {
    const { world } = fixture;
    const payload = { zen: "made up" };
    expect(await world.rawDeliver({ event: "ping", payload, deliveryId: "1", headers: { "x-more": "y" } })).toBe(200);
    await world.rawDeliver({ event: "ping", payload, secret: "another" });
    await world.rawDeliver({ event: "ping", payload, secret: null });
    const good = receiver.received.map(({ body, headers }) => {
      const signature = headers["x-hub-signature-256"];
      return signature === undefined ? null : signature === signatureOf(body);
    });
    expect(good).toEqual([true, false, null]);
    expect(receiver.received[0]?.headers).toMatchObject({ "x-github-delivery": "1", "x-more": "y" });
    world.setWebhookTarget(null);
    expect(await world.rawDeliver({ event: "ping", payload })).toBeNull();
  });
});
