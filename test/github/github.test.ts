import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RepositoryRef } from "../../src/domain/trigger.ts";
import { findOrCreateCheckRun } from "../../src/github/check-run.ts";
import { openGitHubApp } from "../../src/github/client.ts";
import { editComment, findOrPostComment } from "../../src/github/comment.ts";
import type { GitHub, GitHubApp } from "../../src/github/github.ts";
import { addLabels, removeLabel } from "../../src/github/label.ts";
import { askPermission } from "../../src/github/permission.ts";
import { findOrOpenPullRequest, readPullRequest } from "../../src/github/pull-request.ts";
import { type CommitToPush, pushCommits } from "../../src/github/push.ts";
import { react } from "../../src/github/reaction.ts";
import { configPath, readConfigFiles } from "../../src/github/repo-config.ts";
import { readBranch, readRepository } from "../../src/github/repository.ts";
import { marker } from "../../src/text/markers.ts";
import { startWorld, type World } from "../world/world.ts";

type Repository = Awaited<ReturnType<World["createRepository"]>>;

let world: World;
let repository: Repository;
let app: GitHubApp;
let github: GitHub;

const openApp = (): Promise<GitHubApp> =>
  openGitHubApp({
    appId: world.appId,
    privateKey: world.privateKey,
    apiUrl: `${world.url}/api/v3`,
    webUrl: world.url,
  });

const chain = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
const binary = new Uint8Array([0, 255, 254, 10]);

beforeEach(async () => {
  world = await startWorld();
  repository = await world.createRepository({
    owner: "octo-org",
    name: "clock",
    files: { "a.txt": "one\n", "old.txt": "old\n", [configPath]: "version: 1\n" },
  });
  world.setPermission(repository, "maintainer", "maintain");
  app = await openApp();
  const ref: RepositoryRef = {
    installationId: world.installationId,
    id: repository.id,
    owner: "octo-org",
    name: "clock",
    defaultBranch: "main",
  };
  github = await app.repository(ref);
});

afterEach(async () => {
  try {
    world.assertClean();
  } finally {
    await world.close();
  }
});

/** One commit on the head of main that changes, adds, deletes, and holds bytes that are no text. */
function someCommit(run = 1): {
  readonly commit: CommitToPush;
  readonly readBlob: (blob: string) => Promise<Uint8Array>;
} {
  const { git } = repository;
  const parentTree = git.run(["rev-parse", "main^{tree}"]);
  const scratch = `scratch-${run}`;
  git.run(["branch", "--force", scratch, "main"]);
  world.commitFiles(
    repository,
    scratch,
    { "a.txt": `two ${run}\n`, "dir/ö name.txt": "ü\r\n", "bin.dat": binary, "old.txt": null },
    "contributor",
  );
  const tree = git.run(["rev-parse", `${scratch}^{tree}`]);
  git.run(["branch", "-D", scratch]);
  const blob = (path: string): string => git.run(["rev-parse", `${tree}:${path}`]);
  return {
    commit: {
      message: `Change things\n\nGavel-Chain: ${chain}\nGavel-Run: ${run}`,
      parentTree,
      tree,
      entries: [
        ...["a.txt", "dir/ö name.txt", "bin.dat"].map((path) => ({ path, mode: "100644" as const, blob: blob(path) })),
        { path: "old.txt", mode: "100644", blob: null },
      ],
    },
    readBlob: (id) => Promise.resolve(git.bytes(["cat-file", "blob", id])),
  };
}

async function push(branch = "gavel/1-x", from = someCommit()) {
  const baseCommit = repository.git.run(["rev-parse", "main"]);
  return await pushCommits(github, { chain, branch, baseCommit, commits: [from.commit], readBlob: from.readBlob });
}

describe("reading", () => {
  it("reads repository, branch, configuration and permission", async () => {
    expect(await readRepository(github)).toEqual({ defaultBranch: "main", archived: false });
    expect(await readBranch(github, "main")).toEqual({ commit: repository.git.run(["rev-parse", "main"]) });
    expect(await readBranch(github, "none")).toBeNull();
    expect((await readConfigFiles(github)).map((file) => file.text)).toEqual(["version: 1\n"]);
    expect(await askPermission(github, "maintainer")).toEqual({ permission: "maintain", type: "User" });
    expect(await askPermission(github, "nobody-at-all")).toEqual({ permission: "none", type: "unknown" });
    expect((await github.permissions())["checks"]).toBe("write");
  });

  it("reads the owner's configuration with a token of its own, and does not mind when there is none", async () => {
    const ref = github.repository;
    expect(await app.readOwnerFile(ref, configPath)).toBeNull();
    await world.createRepository({
      owner: "octo-org",
      name: ".github",
      files: { [configPath]: "version: 1\n# owner\n" },
    });
    const later = await openApp();
    expect(await later.readOwnerFile(ref, configPath)).toBe("version: 1\n# owner\n");
  });

  it("mints a token for this repository alone", async () => {
    const other = await world.createRepository({ owner: "octo-org", name: "other", files: { a: "b" } });
    await expect(github.octokit.rest.repos.get({ owner: "octo-org", repo: other.name })).rejects.toMatchObject({
      status: 404,
    });
  });

  it("renews a token that is worthless, once", async () => {
    await readRepository(github);
    world.revokeTokens();
    expect(await readRepository(github)).toMatchObject({ archived: false });
  });
});

describe("comments", () => {
  const post = (issue: number) =>
    findOrPostComment(github, { issue, marker: marker("progress", chain), body: "hello" });

  it("posts once, finds again, and edits", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    const first = await post(number);
    expect(await post(number)).toEqual(first);
    if (first.kind !== "posted") throw new Error("locked");
    await editComment(github, first.id, marker("progress", chain), "changed");
    expect(world.issue(repository, number).comments.map((comment) => comment.body)).toEqual([
      `${marker("progress", chain)}\nchanged`,
    ]);
  });

  it("does not take somebody else's marker for its own", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    await world.comment(repository, number, "contributor", `${marker("progress", chain)}\nmine`);
    await post(number);
    expect(world.issue(repository, number).comments).toHaveLength(2);
  });

  it("finds its comment behind a hundred others", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    for (let index = 0; index < 105; index++) await world.comment(repository, number, "contributor", `${index}`);
    const first = await post(number);
    expect(await post(number)).toEqual(first);
  });

  it("doubles nothing when the answer to the POST is lost", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    world.faults.add({ method: "POST", route: "/comments", times: 1, kind: "after-write-502" });
    expect((await post(number)).kind).toBe("posted");
    expect(world.issue(repository, number).comments).toHaveLength(1);
  });

  it("waits for a limit and then does what it was asked", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    world.faults.add({ method: "POST", route: "/comments", times: 1, kind: "secondary-limit", retryAfterSeconds: 1 });
    expect((await post(number)).kind).toBe("posted");
    expect(world.issue(repository, number).comments).toHaveLength(1);
  });

  it("goes on without a comment where the conversation is locked", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    world.lockIssue(repository, number);
    expect(await post(number)).toEqual({ kind: "locked" });
  });
});

describe("labels and reactions", () => {
  it("adds, takes off, and does not mind what is off already", async () => {
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    await addLabels(github, number, ["gavel"]);
    await removeLabel(github, number, "Gavel");
    await removeLabel(github, number, "gavel");
    expect(world.issue(repository, number).labels).toEqual([]);
    await react(github, { kind: "issue", number }, "eyes");
    await react(github, { kind: "issue", number }, "eyes");
    expect(world.issue(repository, number).reactions.map((item) => item.content)).toEqual(["eyes"]);
  });
});

describe("pushing", () => {
  it("makes exactly the tree that was checked, signed", async () => {
    const from = someCommit();
    const pushed = await push("gavel/1-x", from);
    expect(pushed).toMatchObject({ kind: "pushed", branch: "gavel/1-x", tree: from.commit.tree, verified: true });
    expect(repository.git.bytes(["show", "gavel/1-x:bin.dat"])).toEqual(Buffer.from(binary));
    expect(repository.git.try(["show", "gavel/1-x:old.txt"])).toBeNull();
  });

  it("finds its own branch again, and leaves another's alone", async () => {
    const from = someCommit();
    const first = await push("gavel/1-x", from);
    expect(await push("gavel/1-x", from)).toEqual(first);
    world.createBranch(repository, "gavel/2-y", "main");
    expect(await push("gavel/2-y", from)).toMatchObject({ kind: "pushed", branch: "gavel/2-y-2" });
    expect(repository.git.run(["rev-parse", "gavel/2-y"])).toBe(repository.git.run(["rev-parse", "main"]));
  });

  it("finds the branch whose answer got lost", async () => {
    world.faults.add({ method: "POST", route: "/git/refs", times: 1, kind: "after-write-502" });
    expect(await push()).toMatchObject({ kind: "pushed", branch: "gavel/1-x" });
    expect(world.branches(repository)).toEqual(["gavel/1-x", "main"]);
  });

  it("refuses where GitHub makes another tree", async () => {
    const from = someCommit();
    const wrong = { ...from, commit: { ...from.commit, tree: "0".repeat(40) } };
    expect(await push("gavel/1-x", wrong)).toMatchObject({ kind: "refused" });
    expect(world.branches(repository)).toEqual(["main"]);
  });

  it("tells a rule's refusal in GitHub's words", async () => {
    world.faults.add({ method: "POST", route: "/git/refs", times: 1, kind: "status", status: 422 });
    expect(await push()).toEqual({ kind: "refused", reason: "Server Error" });
  });
});

describe("pull requests and checks", () => {
  const wanted = { head: "gavel/1-x", base: "main", title: "t", body: "b", draft: true };

  it("opens once and finds again", async () => {
    await push();
    const opened = await findOrOpenPullRequest(github, wanted);
    expect(opened).toMatchObject({ kind: "opened", draft: true });
    expect(await findOrOpenPullRequest(github, wanted)).toMatchObject({ kind: "found" });
    expect(world.pullRequests(repository)).toHaveLength(1);
    if (opened.kind !== "opened") throw new Error("not opened");
    expect(await readPullRequest(github, opened.number)).toMatchObject({
      headRef: "gavel/1-x",
      fromFork: false,
      state: "open",
    });
  });

  it("finds the one whose answer got lost", async () => {
    await push();
    world.faults.add({ method: "POST", route: "/pulls", times: 1, kind: "after-write-502" });
    expect(await findOrOpenPullRequest(github, wanted)).toMatchObject({ kind: "found" });
    expect(world.pullRequests(repository)).toHaveLength(1);
  });

  it("says that drafts are not supported, or that there is nothing to merge", async () => {
    await push();
    repository.draftsSupported = false;
    expect(await findOrOpenPullRequest(github, wanted)).toEqual({ kind: "drafts-unsupported" });
    world.createBranch(repository, "same", "main");
    expect(await findOrOpenPullRequest(github, { ...wanted, head: "same", draft: false })).toEqual({
      kind: "no-commits",
    });
  });

  it("keeps one check run, with annotations in batches", async () => {
    const sha = repository.git.run(["rev-parse", "main"]);
    const annotation = { path: "a.txt", startLine: 1, endLine: 1, level: "warning" as const, title: "t", message: "m" };
    const output = { title: "t", summary: "s", text: "", annotations: [] };
    const run = { sha, externalId: "x", status: "in_progress" as const, conclusion: null, detailsUrl: null, output };
    const { id } = await findOrCreateCheckRun(github, run);
    const annotations = Array.from({ length: 120 }, () => annotation);
    const done = {
      ...run,
      status: "completed" as const,
      conclusion: "failure" as const,
      output: { ...output, annotations },
    };
    expect(await findOrCreateCheckRun(github, done)).toEqual({ id });
    const [check, ...more] = world.checkRuns(repository, sha);
    expect(more).toEqual([]);
    expect(check).toMatchObject({ conclusion: "failure", status: "completed" });
    expect(check?.annotations).toHaveLength(120);
  });
});

describe("the world itself", () => {
  it("tells a request that GitHub would not understand", async () => {
    const fresh = await startWorld();
    try {
      const response = await fetch(`${fresh.url}/api/v3/repos/a/b/nothing`);
      expect(response.status).toBe(404);
      expect(() => fresh.assertClean()).toThrow("outside of GitHub's description");
    } finally {
      await fresh.close();
    }
  });
});
