import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, openFixture, openReceiver } from "./fixture.ts";

let fixture: Fixture;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  fixture = await openFixture();
  receiver = await openReceiver();
  fixture.world.setWebhookTarget(receiver.url);
});

afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

/** One story from an issue to a judged pull request, as a client of GitHub lives it. */
describe("a story", () => {
  let issue = 0;
  let commit = "";
  let pull = 0;

  it("begins with an issue and a label", async () => {
    const { world, repository, bot, at } = fixture;
    world.setPermission(repository, "maintainer", "maintain");
    issue = (await world.openIssue({ repo: repository, login: "contributor", title: "Mend it", body: "Please." }))
      .number;
    await world.labelIssue(repository, issue, "maintainer", "Gavel");
    const { data } = await bot.rest.issues.get({ ...at, issue_number: issue });
    expect(data).toMatchObject({ title: "Mend it", body: "Please.", state: "open", author_association: "NONE" });
    expect(data.labels).toMatchObject([{ name: "Gavel" }]);
    const asked = await bot.rest.repos.getCollaboratorPermissionLevel({ ...at, username: "maintainer" });
    expect(asked.data).toMatchObject({ permission: "write", role_name: "maintain", user: { type: "User" } });
    expect(asked.data.user?.permissions).toEqual({
      admin: false,
      maintain: true,
      push: true,
      triage: true,
      pull: true,
    });
  });

  it("goes on with a reaction and a comment of the bot", async () => {
    const { world, repository, bot, at } = fixture;
    const eyes = { ...at, issue_number: issue, content: "eyes" as const };
    const first = await bot.rest.reactions.createForIssue(eyes);
    const second = await bot.rest.reactions.createForIssue(eyes);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data.id).toBe(first.data.id);
    const { data } = await bot.rest.issues.createComment({ ...at, issue_number: issue, body: "Begun." });
    expect(data.user).toMatchObject({ login: "gavel[bot]", type: "Bot" });
    expect(data.performed_via_github_app).toMatchObject({ slug: "gavel", id: world.appId });
    await bot.rest.issues.updateComment({ ...at, comment_id: data.id, body: "Going on." });
    expect(world.issue(repository, issue).comments.map((comment) => comment.body)).toEqual(["Going on."]);
  });

  it("makes a signed commit with real ids", async () => {
    const { repository, bot, at } = fixture;
    const { data: main } = await bot.rest.repos.getBranch({ ...at, branch: "main" });
    const { data: blob } = await bot.rest.git.createBlob({
      ...at,
      content: Buffer.from([0, 255, 10]).toString("base64"),
      encoding: "base64",
    });
    const { data: tree } = await bot.rest.git.createTree({
      ...at,
      base_tree: main.commit.commit.tree.sha,
      tree: [
        { path: "a.txt", mode: "100644", type: "blob", content: "one\n2\nthree\n" },
        { path: "bin/run", mode: "100755", type: "blob", content: "#!/bin/sh\n" },
        { path: "data.bin", mode: "100644", type: "blob", sha: blob.sha },
        { path: "old.txt", mode: "100644", type: "blob", sha: null },
      ],
    });
    const message = "Mend it\n\nGavel-Chain: 1";
    const { data } = await bot.rest.git.createCommit({ ...at, message, tree: tree.sha, parents: [main.commit.sha] });
    commit = data.sha;
    expect(data).toMatchObject({
      message,
      author: { name: "gavel[bot]" },
      committer: { name: "GitHub" },
      verification: { verified: true, reason: "valid" },
    });
    expect(repository.git.run(["cat-file", "commit", commit])).toContain(`tree ${tree.sha}`);
    expect(repository.git.run(["ls-tree", "-r", "--format=%(objectmode) %(path)", commit]).split("\n")).toEqual([
      "100644 a.txt",
      "100755 bin/run",
      "100644 data.bin",
      "100644 src/b.txt",
    ]);
    expect(repository.git.try(["fsck", "--strict"])).not.toBeNull();
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/gavel/1-mend", sha: commit });
  });

  it("opens a pull request with real files, commits and diff", async () => {
    const { bot, at } = fixture;
    const wanted = { ...at, head: "gavel/1-mend", base: "main", title: "Mend it", body: `Closes #${issue}` };
    const { data } = await bot.rest.pulls.create({ ...wanted, draft: true });
    pull = data.number;
    expect(data).toMatchObject({
      draft: true,
      commits: 1,
      changed_files: 4,
      additions: 2,
      deletions: 2,
      mergeable: true,
    });
    expect(data.head).toMatchObject({ ref: "gavel/1-mend", sha: commit, label: "octo-org:gavel/1-mend" });
    const { data: files } = await bot.rest.pulls.listFiles({ ...at, pull_number: pull });
    expect(files.map((file) => [file.filename, file.status, file.changes])).toEqual([
      ["a.txt", "modified", 2],
      ["bin/run", "added", 1],
      ["data.bin", "added", 0],
      ["old.txt", "removed", 1],
    ]);
    expect(files[0]?.patch).toBe("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three");
    const { data: commits } = await bot.rest.pulls.listCommits({ ...at, pull_number: pull });
    expect(commits.map((item) => [item.sha, item.author?.login])).toEqual([[commit, "gavel[bot]"]]);
    const diff = await bot.rest.pulls.get({ ...at, pull_number: pull, mediaType: { format: "diff" } });
    expect(diff.data as unknown as string).toContain("-two\n+2\n");
  });

  it("judges it with a check run and a review on its lines", async () => {
    const { world, repository, bot, at } = fixture;
    const annotation = {
      path: "a.txt",
      start_line: 2,
      end_line: 2,
      annotation_level: "warning" as const,
      message: "m",
    };
    const { data: run } = await bot.rest.checks.create({
      ...at,
      name: "gavel",
      head_sha: commit,
      external_id: "chain/1",
      status: "completed",
      conclusion: "success",
      output: { title: "PASS", summary: "Fine.", annotations: [annotation] },
      actions: [{ label: "Re-judge", identifier: "judge", description: "Judge once more" }],
    });
    expect(run.pull_requests.map((item) => item.number)).toEqual([pull]);
    const { data: listed } = await bot.rest.checks.listForRef({ ...at, ref: commit, filter: "all" });
    expect(listed.check_runs.map((item) => item.external_id)).toEqual(["chain/1"]);
    await bot.rest.pulls.createReview({
      ...at,
      pull_number: pull,
      event: "COMMENT",
      body: "One remark",
      comments: [{ path: "a.txt", line: 2, side: "RIGHT", body: "Why a digit?" }],
    });
    const seen = world.pullRequest(repository, pull);
    expect(seen.reviewComments).toMatchObject([{ path: "a.txt", line: 2, hunk: "@@ -1,3 +1,3 @@\n one\n-two\n+2" }]);
    expect(seen.commits).toMatchObject([{ message: "Mend it\n\nGavel-Chain: 1", verified: true }]);
    expect(world.checkRuns(repository, commit)).toMatchObject([{ conclusion: "success", status: "completed" }]);
  });

  it("ends merged", async () => {
    const { world, repository, bot, at } = fixture;
    await world.setDraft(repository, pull, "maintainer", false);
    await world.mergePullRequest(repository, pull, "maintainer");
    expect(world.readFile(repository, "main", "a.txt")).toBe("one\n2\nthree\n");
    const { data } = await bot.rest.pulls.get({ ...at, pull_number: pull });
    expect(data).toMatchObject({ merged: true, state: "closed", merged_by: { login: "maintainer" }, commits: 1 });
  });

  it("was told by webhooks all along, in order and with the right senders", async () => {
    await fixture.world.deliveriesSettled();
    expect(receiver.names()).toEqual([
      "issues.opened",
      "issues.labeled",
      "issue_comment.created",
      "issue_comment.edited",
      "push",
      "pull_request.opened",
      "check_run.created",
      "check_run.completed",
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
      "pull_request.ready_for_review",
      "push",
      "pull_request.closed",
    ]);
    const senders = receiver.received.map(({ payload }) => (payload["sender"] as { type: string }).type);
    expect(senders.map((type) => type === "Bot")).toEqual([
      false,
      false,
      ...Array.from({ length: 8 }, () => true),
      false,
      false,
      false,
    ]);
  });
});
