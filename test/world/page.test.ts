import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { renderMarkdown } from "./page/markdown.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(async () => {
  await fixture.close();
});

const look = async (path: string): Promise<{ status: number; html: string; policy: string | null }> => {
  const response = await fetch(`${fixture.world.url}${path}`);
  return {
    status: response.status,
    html: await response.text(),
    policy: response.headers.get("content-security-policy"),
  };
};

describe("Markdown", () => {
  it("renders what GitHub renders, and runs nothing", () => {
    const html = renderMarkdown(
      [
        "<!-- gavel:progress -->",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "",
        "<details><summary>More</summary>",
        "",
        "```js",
        "alert(1 < 2)",
        "```",
        "",
        "</details>",
        "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>x</a>",
        "",
        "> [!WARNING]",
        "> Look here",
      ].join("\n"),
    );
    expect(html).toContain("<td>2</td>");
    expect(html).toMatch(/<details><summary>More<\/summary>\s*<pre><code class="language-js">alert\(1 &#x3C; 2\)/);
    expect(html).toContain("⚠️ Warning");
    expect(html).not.toMatch(/gavel:progress|<script|onerror|javascript:/);
  });
});

describe("the pages", () => {
  it("show repositories, issues and pull requests, and no script", async () => {
    const { world, repository, bot, at } = fixture;
    const issue = await world.openIssue({
      repo: repository,
      login: "contributor",
      title: "A <b>title</b>",
      body: "Some **body**",
    });
    await world.labelIssue(repository, issue.number, "maintainer", "gavel");
    await bot.rest.reactions.createForIssue({ ...at, issue_number: issue.number, content: "eyes" });
    await bot.rest.issues.createComment({ ...at, issue_number: issue.number, body: "<!-- x -->\nBegun." });
    const sha = world.commitFiles(repository, "topic", { "a.txt": "one\n2\nthree\n" }, "contributor");
    const pull = await world.openPullRequest({
      repo: repository,
      login: "contributor",
      head: "topic",
      title: "Mend",
      body: "b",
      draft: true,
    });
    await bot.rest.checks.create({
      ...at,
      name: "gavel",
      head_sha: sha,
      status: "completed",
      conclusion: "action_required",
      output: { title: "No verdict", summary: "Why" },
    });
    const list = await look("/");
    expect(list.html).toContain("A &lt;b&gt;title&lt;/b&gt;");
    expect(list.html).toContain(`href="/octo-org/clock/pull/${pull.number}"`);
    expect(list.policy).toContain("default-src 'none'");
    const first = await look(`/octo-org/clock/issues/${issue.number}`);
    for (const part of ["<strong>body</strong>", "👀", "Begun.", ">gavel</span>", ">bot</span>"]) {
      expect(first.html).toContain(part);
    }
    const second = await look(`/octo-org/clock/pull/${pull.number}`);
    for (const part of ["Draft", "action required", "No verdict", "Change files", "-two", "+2"]) {
      expect(second.html).toContain(part);
    }
    expect(`${list.html}${first.html}${second.html}`).not.toContain("<script");
  });

  it("are 404 where there is nothing", async () => {
    for (const path of ["/none/none", "/octo-org/clock/issues/99", "/octo-org/clock/nothing/1"]) {
      expect((await look(path)).status).toBe(404);
    }
  });
});
