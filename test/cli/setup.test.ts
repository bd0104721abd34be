import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AppCredentials } from "../../src/cli/setup/convert-code.ts";
import { addToEnvFile } from "../../src/cli/setup/env-file.ts";
import { findGitHub, newAppUrl } from "../../src/cli/setup/github-place.ts";
import { runSetup } from "../../src/cli/setup/run-setup.ts";
import { startWorld, type World } from "../world/world.ts";
import { runNode, runCli } from "./run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gavel-setup-"));
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => world.assertClean());

/** Starts the set-up and gives the page's address and the promise of its end, which the caller has to wait for. */
async function start(keep: (app: AppCredentials) => void = () => undefined, minutesMax = 1) {
  const { promise: ready, resolve: onReady } = Promise.withResolvers<string>();
  const ended = runSetup({
    serverUrl: new URL("https://gavel.example.org/"),
    port: 0,
    github: findGitHub({ GHE_HOST: new URL(world.url).host, GHE_PROTOCOL: "http" }),
    organization: null,
    minutesMax,
    onReady,
    keep,
  });
  // The test asserts on the end later; until then it is nobody's unhandled rejection.
  ended.catch(() => undefined);
  return { page: await ready, ended };
}

/** What the browser does: reads the form, posts it to GitHub, and gives the address GitHub sends it back to. */
async function press(page: string): Promise<{ readonly back: URL; readonly manifest: Record<string, unknown> }> {
  const html = await (await fetch(page)).text();
  const action = unescape(/<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? "");
  const manifest = unescape(/name="manifest" value="([^"]+)"/.exec(html)?.[1] ?? "");
  const sent = await fetch(action, { method: "POST", body: new URLSearchParams({ manifest }), redirect: "manual" });
  expect(sent.status).toBe(302);
  return { back: new URL(sent.headers.get("location") ?? ""), manifest: JSON.parse(manifest) };
}

function unescape(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

describe("the set-up", () => {
  it("makes the App and keeps what the server needs, in a file that Node reads", async () => {
    const file = join(folder, "made.env");
    writeFileSync(file, "PORT=4000");
    const { page, ended } = await start((app) =>
      addToEnvFile(file, {
        APP_ID: String(app.appId),
        PRIVATE_KEY: app.privateKey,
        WEBHOOK_SECRET: app.webhookSecret,
      }),
    );
    const { back, manifest } = await press(page);
    expect(manifest["hook_attributes"]).toEqual({
      url: "https://gavel.example.org/api/github/webhooks",
      active: true,
    });
    expect(JSON.stringify(manifest)).not.toContain("example.invalid");
    const done = await fetch(back);
    expect(done.status).toBe(200);
    const made = await ended;
    expect(await done.text()).not.toContain(made.webhookSecret);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const script = "console.log(JSON.stringify([process.env.PORT, process.env.APP_ID, process.env.PRIVATE_KEY]))";
    const { stdout } = await runNode([`--env-file=${file}`, "-e", script]);
    expect(JSON.parse(stdout)).toEqual(["4000", String(world.appId), made.privateKey.trimEnd()]);
    expect(parseEnv(readFileSync(file, "utf8"))["WEBHOOK_SECRET"]).toBe(made.webhookSecret);
    await expect(fetch(page)).rejects.toThrow();
  });

  it("takes no answer but the one to its own question", async () => {
    const { page, ended } = await start();
    const { back } = await press(page);
    const forged = new URL(back);
    forged.searchParams.set("state", "x".repeat(32));
    expect((await fetch(forged)).status).toBe(400);
    const stateless = new URL(back);
    stateless.searchParams.delete("state");
    expect((await fetch(stateless)).status).toBe(400);
    const odd = new URL(back);
    odd.searchParams.set("code", "../../user");
    expect((await fetch(odd)).status).toBe(400);
    expect((await fetch(new URL("/other", page))).status).toBe(404);
    expect((await fetch(back)).status).toBe(200);
    expect((await ended).appId).toBe(world.appId);
  });

  it("answers only under its own name", async () => {
    const { page, ended } = await start();
    const { port } = new URL(page);
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(404);
    await fetch((await press(page)).back);
    await ended;
  });

  it("ends with a cure where GitHub refuses the code", async () => {
    const { page, ended } = await start();
    const { back } = await press(page);
    back.searchParams.set("code", "unknown");
    const reply = await fetch(back);
    expect(reply.status).toBe(502);
    expect(await reply.text()).toContain("start again");
    await expect(ended).rejects.toMatchObject({ code: "manifest-not-converted" });
  });

  it("ends when the credentials can not be kept, and when its time is over", async () => {
    const { page, ended } = await start(() => {
      throw new Error("no room");
    });
    expect((await fetch((await press(page)).back)).status).toBe(502);
    await expect(ended).rejects.toThrow("no room");
    await expect((await start(undefined, 0.0001)).ended).rejects.toMatchObject({ code: "setup-time-over" });
  });
});

describe("the command", () => {
  it("refuses before anything is made where the file holds an App already", async () => {
    const file = join(folder, "taken.env");
    writeFileSync(file, "APP_ID=7\n");
    const { exitCode, stderr } = await runCli(["setup", "--url", "https://gavel.example.org", "--env", file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("sets APP_ID already");
    expect(readFileSync(file, "utf8")).toBe("APP_ID=7\n");
  });

  it.each(["gavel.example.org", "ftp://gavel.example.org", "https://gavel.example.org/?a=b"])(
    "refuses the address %s",
    async (url) => {
      expect(await runCli(["setup", "--url", url])).toMatchObject({ exitCode: 1 });
    },
  );
});

describe("the file", () => {
  it("keeps what is there, replaces nothing and adds the same thing once", () => {
    const file = join(folder, "kept.env");
    addToEnvFile(file, { A: "1", KEY: "two\nlines\n" });
    addToEnvFile(file, { A: "1", B: "x y" });
    expect(readFileSync(file, "utf8")).toBe(`A=1\nKEY="two\\nlines"\nB="x y"\n`);
    expect(() => addToEnvFile(file, { A: "2", C: "3" })).toThrow("sets A already");
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ A: "1", KEY: "two\nlines", B: "x y" });
  });

  it("fills in a name without a value, and writes through a link", () => {
    const file = join(folder, "linked.env");
    const link = join(folder, "link.env");
    writeFileSync(file, "APP_ID=\n", { mode: 0o644 });
    symlinkSync(file, link);
    addToEnvFile(link, { APP_ID: "9" });
    expect(parseEnv(readFileSync(file, "utf8"))["APP_ID"]).toBe("9");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(link)).toBe(true);
  });
});

describe("the place", () => {
  it("is GitHub.com, or the server that is named", () => {
    expect(newAppUrl(findGitHub({}), null, "s")).toBe("https://github.com/settings/apps/new?state=s");
    expect(newAppUrl(findGitHub({ GHE_HOST: "github.example.org" }), "octo-org", "s")).toBe(
      "https://github.example.org/organizations/octo-org/settings/apps/new?state=s",
    );
  });

  it.each(["https://github.example.org", "a b", "github.example.org/x"])("is not %s", (GHE_HOST) => {
    expect(() => findGitHub({ GHE_HOST })).toThrow("GHE_HOST");
  });
});
