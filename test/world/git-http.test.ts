import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, openFixture, openReceiver } from "./fixture.ts";

const run = promisify(execFile);
let fixture: Fixture;
let folder = "";

beforeEach(async () => {
  fixture = await openFixture();
  folder = mkdtempSync(join(tmpdir(), "gavel-world-test-"));
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fixture.close();
});

async function tokenFor(permissions: Record<string, string>): Promise<string> {
  const { data } = await fixture.app.rest.apps.createInstallationAccessToken({
    installation_id: fixture.world.installationId,
    repositories: ["clock"],
    permissions,
  });
  return data.token;
}

/** Runs real git with a token, as a client that knows nothing of this machine. Must not block: the world answers. */
async function git(token: string, ...args: string[]): Promise<string> {
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  const { stdout } = await run("git", args, {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_COUNT: "3",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
      GIT_CONFIG_KEY_1: "user.name",
      GIT_CONFIG_VALUE_1: "contributor",
      GIT_CONFIG_KEY_2: "user.email",
      GIT_CONFIG_VALUE_2: "contributor@example.invalid",
    },
  });
  return stdout.trim();
}

const address = (): string => `${fixture.world.url}/octo-org/clock.git`;

describe("real git", () => {
  it("clones: whole, shallow, and without blobs", async () => {
    fixture.world.commitFiles(fixture.repository, "main", { "a.txt": "two\n" }, "contributor");
    const token = await tokenFor({ contents: "read" });
    await git(token, "clone", "--quiet", address(), "whole");
    expect(await git(token, "-C", "whole", "rev-list", "--count", "HEAD")).toBe("2");
    await git(token, "clone", "--quiet", "--depth=1", address(), "shallow");
    expect(await git(token, "-C", "shallow", "rev-list", "--count", "HEAD")).toBe("1");
    await git(token, "clone", "--quiet", "--bare", "--filter=blob:none", address(), "partial");
    expect(await git(token, "-C", "partial", "rev-list", "--objects", "--missing=print", "HEAD")).toMatch(/^\?/m);
  });

  it("fetches any commit by its id, and the heads of pull requests", async () => {
    const { world, repository } = fixture;
    const sha = world.commitFiles(repository, "topic", { "a.txt": "x\n" }, "contributor");
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "x",
      head: "topic",
      title: "t",
      body: "",
    });
    world.deleteBranch(repository, "topic", "contributor");
    const loose = world.commitFiles(repository, "loose", { "a.txt": "y\n" }, "contributor");
    world.deleteBranch(repository, "loose", "contributor");
    const token = await tokenFor({ contents: "read" });
    await git(token, "init", "--quiet", "there");
    // The older protocol asks whether it may; the newer one always may.
    await git(token, "-c", "protocol.version=0", "-C", "there", "fetch", "--quiet", address(), loose);
    expect(await git(token, "-C", "there", "rev-parse", "FETCH_HEAD")).toBe(loose);
    await git(token, "-C", "there", "fetch", "--quiet", "--depth=1", address(), sha);
    expect(await git(token, "-C", "there", "rev-parse", "FETCH_HEAD")).toBe(sha);
    await git(token, "-C", "there", "fetch", "--quiet", address(), `refs/pull/${number}/head`);
    expect(await git(token, "-C", "there", "rev-parse", "FETCH_HEAD")).toBe(sha);
  });

  it("pushes, and the push is told and moves the pull request", async () => {
    const { world, repository } = fixture;
    const before = world.commitFiles(repository, "topic", { "a.txt": "x\n" }, "contributor");
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "x",
      head: "topic",
      title: "t",
      body: "",
    });
    await world.deliveriesSettled();
    const receiver = await openReceiver();
    world.setWebhookTarget(receiver.url);
    const token = await tokenFor({ contents: "write" });
    await git(token, "clone", "--quiet", "--branch=topic", address(), "work");
    // Larger than git's buffer for posts, so that it is sent in pieces.
    writeFileSync(join(folder, "work", "large.bin"), Buffer.alloc(3_000_000, Math.random().toString(36).repeat(999)));
    await git(token, "-C", "work", "add", ".");
    await git(token, "-C", "work", "commit", "--quiet", "--message=More");
    await git(token, "-C", "work", "push", "--quiet", address(), "HEAD:refs/heads/topic", "HEAD:refs/heads/new");
    const after = await git(token, "-C", "work", "rev-parse", "HEAD");
    expect(world.pullRequest(repository, number)).toMatchObject({ headSha: after });
    expect(world.branches(repository)).toEqual(["main", "new", "topic"]);
    await world.deliveriesSettled();
    await receiver.close();
    expect(receiver.names().toSorted()).toEqual(["pull_request.synchronize", "push", "push"]);
    const moved = receiver.received.find(({ payload }) => payload["ref"] === "refs/heads/topic");
    expect(moved?.payload).toMatchObject({ before, after, sender: { login: "gavel[bot]", type: "Bot" } });
  });

  it("is refused: without a token, without the permission, at another repository", async () => {
    await fixture.world.createRepository({ owner: "octo-org", name: "other", files: { a: "a" } });
    const reader = await tokenFor({ contents: "read" });
    await expect(git("wrong", "ls-remote", address())).rejects.toThrow(/Authentication failed|could not read Username/);
    await expect(git(reader, "ls-remote", address().replace("clock", "other"))).rejects.toThrow(/not found/i);
    await git(reader, "clone", "--quiet", address(), "work");
    await git(reader, "-C", "work", "commit", "--quiet", "--allow-empty", "--message=x");
    await expect(git(reader, "-C", "work", "push", address(), "HEAD:refs/heads/x")).rejects.toThrow(/403/);
    await expect(git(await tokenFor({ issues: "write" }), "ls-remote", address())).rejects.toThrow(/403/);
    expect(fixture.world.branches(fixture.repository)).toEqual(["main"]);
  });
});
