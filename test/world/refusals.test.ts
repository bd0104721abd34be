import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
let issue = 0;
let main = "";
let pull = 0;

beforeAll(async () => {
  fixture = await openFixture();
  const { world, repository } = fixture;
  issue = (await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null })).number;
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const text = (changed: readonly number[]): string =>
    lines.map((line, index) => `${line}${changed.includes(index + 1) ? "!" : ""}\n`).join("");
  main = world.commitFiles(repository, "main", { "long.txt": text([]) }, "contributor");
  const changed = { "a.txt": "one\n2\nthree\n", "long.txt": text([2, 38]) };
  world.commitFiles(repository, "topic", changed, "contributor");
  pull = (await world.openPullRequest({ repo: repository, login: "contributor", head: "topic", title: "t", body: "" }))
    .number;
});

afterAll(async () => {
  await fixture.close();
});

/** What GitHub refuses although its description allows it: each request, its status, and its words. */
const refused: readonly (readonly [string, () => Promise<unknown>, number, string])[] = [
  [
    "a branch that is there",
    () => fixture.bot.rest.git.createRef({ ...fixture.at, ref: "refs/heads/main", sha: main }),
    422,
    "Reference already exists",
  ],
  [
    "a branch at a commit that is not there",
    () => fixture.bot.rest.git.createRef({ ...fixture.at, ref: "refs/heads/x", sha: "1".repeat(40) }),
    422,
    "Object does not exist",
  ],
  [
    "a branch below another",
    () => fixture.bot.rest.git.createRef({ ...fixture.at, ref: "refs/heads/main/x", sha: main }),
    422,
    "Reference update failed",
  ],
  [
    "a branch moved back",
    () => fixture.bot.rest.git.updateRef({ ...fixture.at, ref: "heads/topic", sha: main }),
    422,
    "Update is not a fast forward",
  ],
  [
    "the deletion of a file that is not there",
    () =>
      fixture.bot.rest.git.createTree({
        ...fixture.at,
        base_tree: main,
        tree: [{ path: "none", mode: "100644", type: "blob", sha: null }],
      }),
    422,
    "GitRPC::BadObjectState",
  ],
  [
    "a path out of the tree",
    () =>
      fixture.bot.rest.git.createTree({
        ...fixture.at,
        base_tree: main,
        tree: [{ path: "../x", mode: "100644", type: "blob", content: "x" }],
      }),
    422,
    "malformed path",
  ],
  [
    "a commit of no tree",
    () => fixture.bot.rest.git.createCommit({ ...fixture.at, message: "m", tree: "1".repeat(40), parents: [main] }),
    422,
    "Tree SHA does not exist",
  ],
  [
    "a comment that is too long",
    () => fixture.bot.rest.issues.createComment({ ...fixture.at, issue_number: issue, body: "x".repeat(65_537) }),
    422,
    "too long",
  ],
  [
    "an edit of somebody else's comment",
    async () => {
      const { id } = await fixture.world.comment(fixture.repository, issue, "contributor", "mine");
      await fixture.bot.rest.issues.updateComment({ ...fixture.at, comment_id: id, body: "yours" });
    },
    403,
    "Resource not accessible by integration",
  ],
  [
    "a label taken off that is not on",
    () => fixture.bot.rest.issues.removeLabel({ ...fixture.at, issue_number: issue, name: "none" }),
    404,
    "Label does not exist",
  ],
  [
    "a pull request without commits",
    async () => {
      fixture.world.createBranch(fixture.repository, "same", "main");
      await fixture.bot.rest.pulls.create({ ...fixture.at, head: "same", base: "main", title: "t" });
    },
    422,
    "No commits between octo-org:main and octo-org:same",
  ],
  [
    "a second pull request",
    () => fixture.bot.rest.pulls.create({ ...fixture.at, head: "topic", base: "main", title: "t" }),
    422,
    "A pull request already exists for octo-org:topic.",
  ],
  [
    "a pull request of no branch",
    () => fixture.bot.rest.pulls.create({ ...fixture.at, head: "none", base: "main", title: "t" }),
    422,
    "head invalid",
  ],
  [
    "a draft where there are none",
    async () => {
      const { world, repository, bot, at } = fixture;
      world.commitFiles(repository, "draft", { "d.txt": "d\n" }, "contributor");
      repository.draftsSupported = false;
      await bot.rest.pulls
        .create({ ...at, head: "draft", base: "main", title: "t", draft: true })
        .finally(() => (repository.draftsSupported = true));
    },
    422,
    "Draft pull requests are not supported",
  ],
  [
    "a check on no commit",
    () => fixture.bot.rest.checks.create({ ...fixture.at, name: "gavel", head_sha: "1".repeat(40) }),
    422,
    "No commit found for SHA",
  ],
  ...(
    [
      ["on a file that was not changed", { path: "old.txt", line: 1 }, "Path could not be resolved"],
      ["on a line outside of the hunks", { path: "a.txt", line: 40 }, "Line could not be resolved"],
      ["on a deleted line's number of the other side", { path: "a.txt", line: 9, side: "LEFT" as const }, "Line could"],
      ["over a range of one line", { path: "a.txt", start_line: 2, line: 2 }, "Start line must precede"],
      ["over a range of two hunks", { path: "long.txt", start_line: 2, line: 38 }, "Start line must precede"],
      ["between two hunks", { path: "long.txt", line: 20 }, "Line could not be resolved"],
      ["over a range that runs backwards", { path: "a.txt", start_line: 3, line: 2 }, "Start line must precede"],
    ] as const
  ).map(
    ([where, place, words]) =>
      [
        `a review comment ${where}`,
        () =>
          fixture.bot.rest.pulls.createReview({
            ...fixture.at,
            pull_number: pull,
            event: "COMMENT",
            comments: [{ body: "b", ...place }],
          }),
        422,
        words,
      ] as const,
  ),
  [
    "a single comment outside of the diff",
    () =>
      fixture.bot.rest.pulls.createReviewComment({
        ...fixture.at,
        pull_number: pull,
        commit_id: fixture.world.pullRequest(fixture.repository, pull).headSha,
        path: "a.txt",
        line: 40,
        body: "b",
      }),
    422,
    "pull_request_review_thread.line must be part of the diff",
  ],
  [
    "a reviewer who is no collaborator",
    () => fixture.bot.rest.pulls.requestReviewers({ ...fixture.at, pull_number: pull, reviewers: ["stranger"] }),
    422,
    "not a collaborator",
  ],
  [
    "the permission of nobody",
    () => fixture.bot.rest.repos.getCollaboratorPermissionLevel({ ...fixture.at, username: "nobody-at-all" }),
    404,
    "Not Found",
  ],
  ["a file that is not there", () => fixture.bot.rest.repos.getContent({ ...fixture.at, path: "none" }), 404, "Not"],
  [
    "the protection of a branch, to an App that may not administer",
    () => fixture.bot.rest.repos.getBranchProtection({ ...fixture.at, branch: "main" }),
    403,
    "Resource not accessible by integration",
  ],
];

describe("GitHub refuses", () => {
  it.each(refused)("%s", async (_, ask, status, words) => {
    const answer = await ask().then(
      () => null,
      (error: unknown) => error as { status: number; message: string },
    );
    expect(answer).toMatchObject({ status });
    expect(answer?.message).toContain(words);
  });

  it("a comment on what is locked", async () => {
    const { world, repository, bot, at } = fixture;
    const locked = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    world.lockIssue(repository, locked.number);
    const ask = bot.rest.issues.createComment({ ...at, issue_number: locked.number, body: "x" });
    await expect(ask).rejects.toMatchObject({ status: 403 });
    expect(locked.comments).toEqual([]);
  });

  it("what a rule of the repository forbids", async () => {
    const { repository, bot, at } = fixture;
    repository.rules.set("signed", [{ type: "required_signatures" }]);
    const ask = bot.rest.git.createRef({ ...at, ref: "refs/heads/signed", sha: main });
    await expect(ask).rejects.toMatchObject({ status: 422 });
    const { data } = await bot.rest.repos.getBranchRules({ ...at, branch: "signed" });
    expect(data).toMatchObject([{ type: "required_signatures" }]);
  });

  it("a diff of too many files", async () => {
    const { world, repository, bot, at } = fixture;
    const files = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`many/${index}.txt`, "x\n"]));
    world.commitFiles(repository, "many", files, "contributor");
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "x",
      head: "many",
      title: "t",
      body: "",
    });
    const ask = bot.rest.pulls.get({ ...at, pull_number: number, mediaType: { format: "diff" } });
    await expect(ask).rejects.toMatchObject({ status: 406 });
    expect(await bot.paginate(bot.rest.pulls.listFiles, { ...at, pull_number: number, per_page: 100 })).toHaveLength(
      301,
    );
  });
});
