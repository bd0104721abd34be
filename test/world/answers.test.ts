import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(async () => {
  await fixture.close();
});

describe("lists", () => {
  it("come in pages that link to each other", async () => {
    const { world, repository, bot, at } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    for (let index = 1; index <= 7; index++) await world.comment(repository, number, "contributor", `${index}`);
    const page = await bot.rest.issues.listComments({ ...at, issue_number: number, per_page: 3, page: 2 });
    expect(page.data.map((comment) => comment.body)).toEqual(["4", "5", "6"]);
    const rels = [...(page.headers.link ?? "").matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)];
    expect(Object.fromEntries(rels.map(([, to, rel]) => [rel, to]))).toEqual({
      prev: "1",
      next: "3",
      last: "3",
      first: "1",
    });
    const all = await bot.paginate(bot.rest.issues.listComments, { ...at, issue_number: number, per_page: 3 });
    expect(all.map((comment) => comment.body)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect((await bot.rest.issues.listComments({ ...at, issue_number: number })).headers.link).toBeUndefined();
  });

  it("keep their count where GitHub wraps them", async () => {
    const { repository, bot, at } = fixture;
    const sha = repository.git.run(["rev-parse", "main"]);
    for (const name of ["a", "b", "b"]) await bot.rest.checks.create({ ...at, name, head_sha: sha });
    const latest = await bot.rest.checks.listForRef({ ...at, ref: "main", per_page: 1 });
    expect([latest.data.total_count, latest.data.check_runs.map((run) => run.name)]).toEqual([2, ["b"]]);
    expect((await bot.rest.checks.listForRef({ ...at, ref: sha, filter: "all" })).data.total_count).toBe(3);
  });
});

describe("headers", () => {
  it("count requests, but not those answered from the cache", async () => {
    const { bot, at } = fixture;
    const first = await bot.rest.repos.get(at);
    const used = (response: { headers: Record<string, unknown> }): number =>
      Number(response.headers["x-ratelimit-used"]);
    const again = await bot.rest.repos
      .get({ ...at, headers: { "if-none-match": first.headers.etag ?? "" } })
      .catch((error: unknown) => error as { status: number; response: { headers: Record<string, unknown> } });
    expect(again).toMatchObject({ status: 304 });
    const third = await bot.rest.repos.get(at);
    expect(used(third)).toBe(used(first) + 1);
    expect(third.headers["x-ratelimit-limit"]).toBe("5000");
  });

  it("change the tag when the thing changes", async () => {
    const { world, repository, bot, at } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    const { headers } = await bot.rest.issues.get({ ...at, issue_number: number });
    await world.editIssue(repository, number, "contributor", { title: "u" });
    const again = await bot.rest.issues.get({
      ...at,
      issue_number: number,
      headers: { "if-none-match": headers.etag ?? "" },
    });
    expect(again.data.title).toBe("u");
  });
});

describe("labels", () => {
  it("are the same in any case, are made when they are first put on, and told once", async () => {
    const { world, repository, bot, at } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    const put = (labels: string[]) => bot.rest.issues.addLabels({ ...at, issue_number: number, labels });
    expect((await put(["Needs Word"])).data.map((label) => label.name)).toEqual(["Needs Word"]);
    expect((await put(["needs word", "other"])).data.map((label) => label.name)).toEqual(["Needs Word", "other"]);
    await bot.rest.issues.removeLabel({ ...at, issue_number: number, name: "NEEDS WORD" });
    expect(world.issue(repository, number).labels).toEqual(["other"]);
    const { data } = await bot.rest.issues.listEventsForTimeline({ ...at, issue_number: number });
    expect(data.map((item) => item.event)).toEqual(["labeled", "labeled", "unlabeled"]);
  });
});

describe("what is missing", () => {
  it("is null where GitHub says null: a deleted account, an empty body, a deleted fork", async () => {
    const { world, repository, bot, at } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: null, title: "t", body: "" });
    await world.comment(repository, number, "ghost", "hello");
    expect((await bot.rest.issues.get({ ...at, issue_number: number })).data).toMatchObject({ user: null, body: null });
    expect((await bot.rest.issues.listComments({ ...at, issue_number: number })).data).toMatchObject([{ user: null }]);
    const fork = await world.createFork(repository, "contributor");
    world.commitFiles(fork, "topic", { "fork.txt": "x\n" }, "contributor");
    const pull = await world.openPullRequest({
      repo: repository,
      login: "contributor",
      head: "contributor:topic",
      title: "t",
      body: null,
    });
    const before = await bot.rest.pulls.get({ ...at, pull_number: pull.number });
    expect(before.data.head).toMatchObject({
      label: "contributor:topic",
      repo: { full_name: "contributor/clock", fork: true },
    });
    expect(before.data).toMatchObject({ commits: 1, changed_files: 1 });
    world.deleteFork(fork);
    expect((await bot.rest.pulls.get({ ...at, pull_number: pull.number })).data.head.repo).toBeNull();
  });
});
