import { createPrivateKey, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientOf, type Fixture, openFixture } from "./fixture.ts";

const minute = 60;
let fixture: Fixture;
let time = Date.parse("2030-01-01T00:00:00Z");

beforeEach(async () => {
  time = Date.parse("2030-01-01T00:00:00Z");
  fixture = await openFixture({ now: () => new Date(time) });
});

afterEach(async () => {
  await fixture.close();
});

/** A JWT of these claims, signed with the App's key. */
function jwt(claims: object, header: object = { alg: "RS256", typ: "JWT" }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  const key = createPrivateKey(fixture.world.privateKey);
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

const askApp = (token: string): Promise<Response> =>
  fetch(`${fixture.world.url}/api/v3/app`, { headers: { authorization: `Bearer ${token}` } });

/** A fresh token, narrowed. */
async function mint(narrowed: object = {}): Promise<string> {
  const now = time / 1000;
  const { url, installationId, appId } = fixture.world;
  const response = await fetch(`${url}/api/v3/app/installations/${installationId}/access_tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${jwt({ iat: now, exp: now + 5 * minute, iss: appId })}` },
    body: JSON.stringify(narrowed),
  });
  return ((await response.json()) as { token: string }).token;
}

describe("an App's own token", () => {
  const cases: readonly (readonly [string, (now: number, id: number) => object, string | null])[] = [
    ["is good with its id", (now, iss) => ({ iat: now - minute, exp: now + 9 * minute, iss }), null],
    ["is good with its id as text", (now, iss) => ({ iat: now, exp: now + minute, iss: String(iss) }), null],
    ["may not be another App's", (now) => ({ iat: now, exp: now + minute, iss: 1 }), "'Issuer' claim"],
    [
      "may not be from the future",
      (now, iss) => ({ iat: now + 5 * minute, exp: now + 9 * minute, iss }),
      "'Issued at'",
    ],
    ["may not have expired", (now, iss) => ({ iat: now - 9 * minute, exp: now - 1, iss }), "'Expiration time' claim"],
    ["may not live longer than ten minutes", (now, iss) => ({ iat: now, exp: now + 11 * minute, iss }), "too far"],
  ];
  it.each(cases)("%s", async (_, claims, problem) => {
    const response = await askApp(jwt(claims(time / 1000, fixture.world.appId)));
    expect(response.status).toBe(problem === null ? 200 : 401);
    if (problem !== null) expect(((await response.json()) as { message: string }).message).toContain(problem);
  });

  it("has to be signed, by the right key, in the right way", async () => {
    const claims = { iat: time / 1000, exp: time / 1000 + minute, iss: fixture.world.appId };
    const [header, payload, signature] = jwt(claims).split(".");
    const [, forged] = jwt({ ...claims, iss: 1 }).split(".");
    for (const bad of [`${header}.${forged}.${signature}`, jwt(claims, { alg: "none" }), `${header}.${payload}.`]) {
      expect((await askApp(bad)).status).toBe(401);
    }
  });
});

describe("an installation's token", () => {
  it("reaches the repositories that it was narrowed to, and no others", async () => {
    const { world, repository, at } = fixture;
    await world.createRepository({ owner: "octo-org", name: "other", files: { a: "a" } });
    for (const narrowed of [{ repository_ids: [repository.id] }, { repositories: ["clock"] }]) {
      const client = clientOf(world, await mint(narrowed));
      expect((await client.rest.repos.get(at)).data.full_name).toBe("octo-org/clock");
      await expect(client.rest.repos.get({ ...at, repo: "other" })).rejects.toMatchObject({ status: 404 });
      const { data } = await client.rest.apps.listReposAccessibleToInstallation();
      expect(data.repositories.map((item) => item.name)).toEqual(["clock"]);
    }
  });

  it("may do what it was narrowed to, and no more", async () => {
    const { world, repository, at } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: "contributor", title: "t", body: null });
    const reader = clientOf(world, await mint({ permissions: { issues: "read" } }));
    expect((await reader.rest.issues.get({ ...at, issue_number: number })).status).toBe(200);
    await expect(reader.rest.issues.createComment({ ...at, issue_number: number, body: "x" })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("Resource not accessible by integration") as string,
    });
    await expect(reader.rest.repos.getBranch({ ...at, branch: "main" })).rejects.toMatchObject({ status: 403 });
  });

  it("is not minted beyond what was granted, nor for what is not there", async () => {
    const { app, world } = fixture;
    const narrowed = (body: object) =>
      app.rest.apps.createInstallationAccessToken({ installation_id: world.installationId, ...body });
    await expect(narrowed({ permissions: { workflows: "write" } })).rejects.toMatchObject({ status: 422 });
    await expect(narrowed({ repositories: ["none"] })).rejects.toMatchObject({ status: 422 });
    await expect(app.rest.apps.createInstallationAccessToken({ installation_id: 1 })).rejects.toMatchObject({
      status: 404,
    });
  });

  it("expires after an hour", async () => {
    const client = clientOf(fixture.world, await mint());
    time += 59 * minute * 1000;
    expect((await client.rest.repos.get(fixture.at)).status).toBe(200);
    time += minute * 1000;
    await expect(client.rest.repos.get(fixture.at)).rejects.toMatchObject({ status: 401 });
  });

  it("is worthless once the App was taken off", async () => {
    const client = clientOf(fixture.world, await mint());
    fixture.world.uninstall("maintainer");
    await expect(client.rest.repos.get(fixture.at)).rejects.toMatchObject({ status: 401 });
    await expect(fixture.app.rest.apps.getRepoInstallation(fixture.at)).rejects.toMatchObject({ status: 404 });
  });

  it("does not stand in for the App's own token, nor the other way round", async () => {
    const client = clientOf(fixture.world, await mint());
    await expect(client.rest.apps.getAuthenticated()).rejects.toMatchObject({ status: 401 });
    const now = time / 1000;
    const app = clientOf(fixture.world, jwt({ iat: now, exp: now + minute, iss: fixture.world.appId }));
    await expect(app.rest.repos.get(fixture.at)).rejects.toMatchObject({ status: 401 });
  });
});

it("lets nobody write to an archived repository", async () => {
  fixture.repository.archived = true;
  const client = clientOf(fixture.world, await mint());
  expect((await client.rest.repos.get(fixture.at)).data.archived).toBe(true);
  await expect(client.rest.issues.create({ ...fixture.at, title: "t" })).rejects.toMatchObject({ status: 403 });
});
