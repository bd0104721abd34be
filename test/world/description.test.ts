import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { checkResponse, checkWebhook } from "./openapi/check.ts";
import { matchRoute } from "./openapi/routes.ts";
import { slice } from "./openapi/slice.ts";
import { openLimits } from "./api/limits.ts";
import { makeRoutes } from "./routes/table.ts";

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openFixture();
});

afterEach(async () => {
  await fixture.world.close();
});

/** Asks, and tells what the world found wrong with it. */
async function wrongWith(ask: Promise<unknown>): Promise<string> {
  const answer = await ask.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );
  expect(fixture.world.violations).not.toEqual([]);
  expect(() => fixture.world.assertClean()).toThrow(fixture.world.violations[0]);
  return `${answer} ${fixture.world.violations.join("\n")}`;
}

describe("a request that GitHub would not understand", () => {
  const asks: readonly (readonly [string, (fixture: Fixture) => Promise<unknown>, RegExp])[] = [
    [
      "goes to a route that is not there",
      ({ bot }) => bot.request("GET /repos/octo-org/clock/nothing"),
      /^404 GET \/repos\/octo-org\/clock\/nothing is outside/,
    ],
    [
      "holds a key that GitHub would drop",
      ({ bot, at }) => bot.request("POST /repos/{owner}/{repo}/issues", { ...at, title: "t", lables: ["x"] }),
      /^422 request POST .*lables/s,
    ],
    [
      "holds such a key deep inside",
      ({ bot, at, repository }) =>
        bot.request("POST /repos/{owner}/{repo}/check-runs", {
          ...at,
          name: "gavel",
          head_sha: repository.git.run(["rev-parse", "main"]),
          output: { title: "t", summary: "s", body: "b" },
        } as never),
      /\/output .*body/,
    ],
    [
      "holds more than GitHub takes at once",
      ({ bot, at, repository }) =>
        bot.rest.checks.update({
          ...at,
          check_run_id: repository.id,
          output: {
            summary: "s",
            annotations: Array.from({ length: 51 }, () => ({
              path: "a.txt",
              start_line: 1,
              end_line: 1,
              annotation_level: "notice" as const,
              message: "m",
            })),
          },
        }),
      /more than 50 items/,
    ],
    [
      "lacks what has to be there",
      ({ bot, at }) => bot.request("POST /repos/{owner}/{repo}/pulls", { ...at, head: "x" } as never),
      /required property 'base'/,
    ],
    [
      "has a word that is none of GitHub's",
      ({ bot, at }) =>
        bot.request("POST /repos/{owner}/{repo}/issues/{issue_number}/reactions", {
          ...at,
          issue_number: 1,
          content: "sad" as never,
        }),
      /\/content must be equal to one of the allowed values/,
    ],
    [
      "has a query that is not known",
      ({ bot, at }) => bot.request("GET /repos/{owner}/{repo}/pulls", { ...at, stat: "all" }),
      /the query parameter "stat" is not known/,
    ],
    [
      "has a number that is none",
      ({ bot, at }) =>
        bot.request("GET /repos/{owner}/{repo}/issues/{issue_number}", { ...at, issue_number: "one" as never }),
      /path parameter issue_number: .*integer/,
    ],
    [
      "completes a check without a conclusion, which only a rule by hand sees",
      ({ bot, at, repository }) =>
        bot.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
          ...at,
          check_run_id: repository.id,
          status: "completed",
        }),
      /status completed without a conclusion/,
    ],
    [
      "asks in GraphQL",
      ({ world }) => fetch(`${world.url}/api/graphql`, { method: "POST", body: "{}" }),
      /graphql is not supported/,
    ],
  ];
  it.each(asks)("%s", async (_, ask, found) => {
    expect(await wrongWith(ask(fixture))).toMatch(found);
  });

  it("is no JSON", async () => {
    const { world, at } = fixture;
    const { token } = (await fixture.bot.auth({ type: "installation" })) as { token: string };
    const ask = fetch(`${world.url}/api/v3/repos/${at.owner}/${at.repo}/issues`, {
      method: "POST",
      body: "{",
      headers: { authorization: `token ${token}` },
    });
    expect(await wrongWith(ask)).toMatch(/the body is no JSON/);
  });
});

describe("an answer of the world", () => {
  const route = (method: string, path: string) => {
    const matched = matchRoute(method, path);
    if (matched === null) throw new Error("no such route");
    return matched.route;
  };

  it("is held to the description, where null is a value only if it says so", async () => {
    const { bot, at, world, repository } = fixture;
    const { number } = await world.openIssue({ repo: repository, login: null, title: "t", body: null });
    const { data } = await bot.rest.issues.get({ ...at, issue_number: number });
    const issue = route("GET", "/repos/a/b/issues/1");
    expect(checkResponse(issue, 200, data)).toEqual([]);
    expect(checkResponse(issue, 200, { ...data, title: null })).toEqual([expect.stringContaining("/title")]);
    expect(checkResponse(issue, 200, { ...data, state_reason: null })).toEqual([]);
    expect(checkResponse(issue, 200, { ...data, state_reason: "whim" })).toEqual([
      expect.stringContaining("/state_reason"),
    ]);
    const { id: _, ...less } = data;
    expect(checkResponse(issue, 200, less)).toEqual([expect.stringContaining("'id'")]);
    expect(checkResponse(issue, 202, data)).toEqual([expect.stringContaining("202")]);
    expect(checkResponse(issue, 404, {})).toEqual([]);
    expect(checkResponse(issue, 418, {})).toEqual(["a refusal without a message"]);
  });

  it("and a webhook as well", () => {
    expect(checkWebhook("issues", "opened", { action: "opened" })).toContainEqual(expect.stringContaining("'issue'"));
    expect(checkWebhook("issues", "made-up", {})).toEqual(["this webhook is not known"]);
  });
});

it("serves every route of the description, and no other", () => {
  const described = Object.entries(slice.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`),
  );
  const none = { take: () => null, accept: () => ({ problem: "" }) };
  const served = Object.keys(
    makeRoutes(
      openLimits(() => new Date()),
      none,
    ),
  );
  expect(served.toSorted()).toEqual(described.toSorted());
});
