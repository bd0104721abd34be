import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git } from "../../src/workspace/git.ts";
import { serveGit } from "./git-server.ts";
import { listAll, makeTree, openPlace } from "./support.ts";

const token = "ghs_0123456789abcdefghij";
const author = { name: "octo", email: "octo@example.com" };

async function open() {
  const place = await openPlace();
  const server = await serveGit(place.dataFolder, token);
  const remote = { url: server.url, token: () => Promise.resolve(token) };
  const set = (ref: string, commit: string) => git(["update-ref", ref, commit], { gitDir: server.gitDir });
  return { ...place, server, remote, set };
}

test("branches and commits come in, once", async () => {
  const { repository, server, remote, set } = await open();
  const main = await makeTree(server.gitDir, { a: "1" });
  const loose = await makeTree(server.gitDir, { a: "2" });
  await set("refs/heads/feature/x@#,'()", main.commit);
  expect(await repository.has(main.commit)).toBe(false);
  await repository.fetch(remote, ["refs/heads/feature/x@#,'()", loose.commit]);
  expect(await repository.has(main.commit)).toBe(true);
  expect(await repository.treeOf(loose.commit)).toBe(loose.tree);
  const requests = server.credentials.length;
  await repository.fetch(remote, [loose.commit]);
  expect(server.credentials.length).toBe(requests);
});

test("a branch may become a folder of branches, and may be rewritten", async () => {
  const { repository, server, remote, set } = await open();
  const one = await makeTree(server.gitDir, { a: "1" });
  const two = await makeTree(server.gitDir, { a: "2" });
  await set("refs/heads/feature", one.commit);
  await repository.fetch(remote, ["refs/heads/feature"]);
  await git(["update-ref", "-d", "refs/heads/feature"], { gitDir: server.gitDir });
  await set("refs/heads/feature/x", two.commit);
  await repository.fetch(remote, ["refs/heads/feature/x"]);
  await set("refs/heads/feature/x", one.commit);
  await repository.fetch(remote, ["refs/heads/feature/x"]);
  expect(await repository.has(two.commit)).toBe(true);
});

test("fetches of one mirror at once get all they asked for", async () => {
  const { repository, server, remote, set } = await open();
  const made = [];
  for (let n = 0; n < 6; n += 1) {
    made.push(await makeTree(server.gitDir, { a: String(n) }));
    await set(`refs/heads/b${n}`, made[n]?.commit ?? "");
  }
  await Promise.all(made.map((_, n) => repository.fetch(remote, [`refs/heads/b${n}`])));
  for (const { commit } of made) expect(await repository.has(commit)).toBe(true);
});

test("the token reaches the server and nothing else", async () => {
  const { repository, server, remote, set, dataFolder } = await open();
  const main = await makeTree(server.gitDir, { a: "1" });
  await set("refs/heads/main", main.commit);
  await repository.fetch(remote, ["refs/heads/main"]);
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  expect(server.credentials).toContain(`Basic ${basic}`);
  for (const path of await listAll(join(dataFolder, "repositories"))) {
    if (path.endsWith("/")) continue;
    const content = await readFile(join(dataFolder, "repositories", path), "latin1");
    expect([path, content.includes(token), content.includes(basic)]).toEqual([path, false, false]);
  }
});

test("a refused fetch says why, without the token", async () => {
  const { repository, server, remote } = await open();
  const wrong = { url: server.url, token: () => Promise.resolve("ghs_wrong") };
  const error = await repository.fetch(wrong, ["refs/heads/main"]).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "fetch-refused" });
  expect(JSON.stringify(error) + String(error)).not.toContain("ghs_wrong");
  await expect(repository.fetch(remote, ["refs/heads/none"])).rejects.toMatchObject({ code: "fetch-not-found" });
  await expect(repository.fetch(remote, ["1".repeat(40)])).rejects.toMatchObject({ code: "fetch-not-found" });
});

test("an error text never holds the token, even where git repeats it", async () => {
  const { mirror } = await openPlace();
  const network = { url: "https://example.invalid/x", token };
  const failed = await git([token], { gitDir: mirror, network }).catch((caught: unknown) => caught);
  expect(String(failed)).toContain("***");
  expect(String(failed)).not.toContain(token);
});

test("other protocols, foreign http and credentials in a URL are refused", async () => {
  const { repository, mirror } = await openPlace();
  const urls = [
    "ext::sh -c touch% /tmp/x",
    "file:///etc",
    "/etc",
    "ssh://example.com/x",
    "git://example.com/x",
    "git@example.com:x.git",
    "http://example.com/x",
    "https://octo:secret@example.com/x",
    "--upload-pack=touch",
  ];
  for (const url of urls) {
    const remote = { url, token: () => Promise.resolve("") };
    const error = await repository.fetch(remote, ["refs/heads/main"]).catch((caught: unknown) => caught);
    expect([url, (error as { code?: string }).code]).toEqual([url, "git-url-refused"]);
    expect(String(error)).not.toContain("secret");
  }
  // And git itself holds the same line, should a URL ever come from elsewhere.
  for (const url of ["ext::true", `file://${mirror}`, "http://127.0.0.1:1/x"]) {
    await expect(git(["ls-remote", url], { gitDir: mirror })).rejects.toThrow(/not allowed/);
  }
});

test("names that are no full refs or ids never reach git", async () => {
  const { repository, remote } = await open();
  for (const name of ["main", "-x", "refs/heads/a:refs/heads/b", "refs/heads/*", "refs/heads/a..b", "refs/heads/a b"]) {
    await expect(repository.fetch(remote, [name])).rejects.toMatchObject({ code: "ref-name" });
  }
  await expect(repository.treeOf("--help")).rejects.toMatchObject({ code: "object-id" });
  await expect(repository.has("HEAD")).rejects.toMatchObject({ code: "object-id" });
});

test("a server that says nothing is left when the caller gives up", async () => {
  const { repository } = await openPlace();
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const remote = { url: `http://127.0.0.1:${port}/x`, token: () => Promise.resolve("") };
  const controller = new AbortController();
  const fetched = repository.fetch(remote, ["refs/heads/main"], controller.signal);
  await asked.promise;
  controller.abort();
  await expect(fetched).rejects.toMatchObject({ code: "git-cancelled" });
  // The helper that speaks http was ended too.
  const running = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  expect(running).not.toContain(`127.0.0.1:${port}`);
});

test("time and output have limits", async () => {
  const { mirror } = await openPlace();
  const { commit } = await makeTree(mirror, { a: "x".repeat(10_000) });
  await expect(git(["cat-file", "blob", `${commit}:a`], { gitDir: mirror, outputBytesMax: 100 })).rejects.toMatchObject(
    {
      code: "git-output-too-large",
    },
  );
  // Waits for input that never comes: standard input is a file that nobody writes to.
  const endless = git(["-c", "alias.wait=!sleep 60", "wait"], { gitDir: mirror, timeoutSeconds: 0.2 });
  await expect(endless).rejects.toMatchObject({ code: "git-timed-out" });
});

test("a merge base, or none", async () => {
  const { repository, mirror } = await openPlace();
  const one = await makeTree(mirror, { a: "1" });
  const alone = await makeTree(mirror, { a: "2" });
  const left = await repository.commit(one.tree, [one.commit], "left", author);
  const right = await repository.commit(alone.tree, [one.commit], "right", author);
  expect(await repository.mergeBase(left, right)).toBe(one.commit);
  expect(await repository.mergeBase(left, alone.commit)).toBeNull();
});

test("a commit carries its message and author as they are", async () => {
  const { repository, mirror } = await openPlace();
  const { tree, commit } = await makeTree(mirror, { a: "1" });
  const message = '漢字 `$(x)` "q"\n\nGavel-Chain: 1\n';
  const made = await repository.commit(tree, [commit], message, author);
  const shown = (await git(["cat-file", "commit", made], { gitDir: mirror })).stdout.toString("utf8");
  expect(shown).toContain(`\n\n${message}`);
  expect(shown).toMatch(/^author octo <octo@example.com> /m);
  expect(await repository.treeOf(made)).toBe(tree);
});

test("a push adds, and never overwrites", async () => {
  const { repository, server, remote, set } = await open();
  const main = await makeTree(server.gitDir, { a: "1" });
  const other = await makeTree(server.gitDir, { a: "2" });
  await set("refs/heads/main", main.commit);
  await repository.fetch(remote, ["refs/heads/main"]);
  const next = await repository.commit(main.tree, [main.commit], "next", author);
  await repository.push(remote, next, "refs/heads/gavel/1-x");
  await repository.push(remote, next, "refs/heads/gavel/1-x");
  const tip = async () =>
    (await git(["rev-parse", "refs/heads/gavel/1-x"], { gitDir: server.gitDir })).stdout.toString("utf8").trim();
  expect(await tip()).toBe(next);
  await set("refs/heads/gavel/1-x", other.commit);
  await expect(repository.push(remote, next, "refs/heads/gavel/1-x")).rejects.toMatchObject({ code: "push-rejected" });
  expect(await tip()).toBe(other.commit);
});

test("a repository's folder can not be named outside the data folder", async () => {
  const { workspace } = await openPlace();
  for (const key of ["../x", "", ".", "a/b", "-x"]) {
    await expect(workspace.repository(key)).rejects.toMatchObject({ code: "repository-key" });
  }
});

test("opened many times at once, a repository is one", async () => {
  const { workspace } = await openPlace();
  const all = await Promise.all(Array.from({ length: 5 }, () => workspace.repository("99")));
  expect(new Set(all).size).toBe(1);
});
