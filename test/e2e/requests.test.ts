import { expect, it } from "vitest";
import { judgeSays } from "../../demo/scenarios/parts.ts";
import { pass } from "../../demo/scenarios/pass.ts";
import { needsSandbox } from "../needs-sandbox.ts";
import { closings, labelledIssue, minuteMilliseconds, open } from "./on-stage.ts";

needsSandbox("what is asked on GitHub", { timeout: 3 * minuteMilliseconds }, () => {
  it("judges a person's pull request, with a check from the first moment on, and writes nothing", async () => {
    const on = await open([
      {
        caller: "judge/code/run0/turn0",
        replies: [judgeSays({ verdict: "PASS", summary: "The words are right.", evidence: "README.md" })],
      },
    ]);
    const { world, repository } = on;
    world.createBranch(repository, "words", "main");
    const head = world.commitFiles(repository, "words", { "README.md": "# clock-words\n" }, "maintainer");
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "maintainer",
      head: "words",
      title: "Words",
      body: "",
    });
    await world.comment(repository, number, "maintainer", "Please look.\n\n/judge");
    await on.waitFor("the end", () => closings(on.told).length === 1);
    expect(closings(on.told)).toEqual(["passed"]);
    expect(world.checkRuns(repository, head).map((run) => run.conclusion)).toEqual(["success"]);
    expect(world.pullRequest(repository, number).comments.map((comment) => comment.login)).toEqual([
      "maintainer",
      "gavel[bot]",
      "gavel[bot]",
    ]);
    expect(repository.git.run(["rev-parse", "words"])).toBe(head);
  });

  it("opens no required check when no model can be reached", async () => {
    const on = await open([]);
    const { world, repository } = on;
    world.createBranch(repository, "words", "main");
    const head = world.commitFiles(repository, "words", { "README.md": "# clock-words\n" }, "maintainer");
    const { number } = await world.openPullRequest({
      repo: repository,
      login: "maintainer",
      head: "words",
      title: "Words",
      body: "",
    });
    await world.comment(repository, number, "maintainer", "/gavel judge");
    await on.waitFor("the end", () => closings(on.told).length === 1);
    expect(world.checkRuns(repository, head).map((run) => run.conclusion)).toEqual(["action_required"]);
  });

  it("gives a stranger one 😕, a second trigger nothing, and answers help once", async () => {
    const on = await open(pass.recorded);
    const { world, repository } = on;
    const { number } = await world.openIssue({
      repo: repository,
      login: "contributor",
      title: pass.title,
      body: pass.body,
    });
    const asked = await world.comment(repository, number, "contributor", "/implement");
    const helped = await world.comment(repository, number, "maintainer", "/help");
    await world.deliveriesSettled();
    await expect.poll(() => asked.reactions.map((item) => item.content), { timeout: 20_000 }).toEqual(["confused"]);
    await expect
      .poll(() => world.issue(repository, number).comments.filter((item) => item.login === "gavel[bot]").length, {
        timeout: 20_000,
      })
      .toBe(1);
    expect(helped.reactions).toEqual([]);
    expect(on.told.filter((item) => item.kind === "event")).toEqual([]);
  });

  it("makes one chain of a delivery that comes twice", async () => {
    const on = await open(pass.recorded);
    on.world.faults.add({ kind: "drop-delivery", times: 1 });
    on.world.faults.add({ kind: "double-delivery", times: 1 });
    const number = await labelledIssue(on);
    await on.waitFor("the end", () => closings(on.told).length === 1);
    await on.world.deliveriesSettled();
    expect(on.world.pullRequests(on.repository)).toHaveLength(1);
    expect(on.world.issue(on.repository, number).comments).toHaveLength(1);
  });

  it("tells all that is wrong with the configuration, and begins nothing", async () => {
    const on = await open(pass.recorded, {
      ".github/gavel.yml": "version: 1\nimplement: { max_revisions: 5, engin: x }\n",
    });
    const number = await labelledIssue(on);
    await on.waitFor("the end", () => closings(on.told).length === 1);
    const report = on.world.issue(on.repository, number).comments.at(-1)?.body ?? "";
    expect(report).toContain("max_revisions");
    expect(report).toContain("engine");
    expect(closings(on.told)).toEqual(["failed"]);
  });
});
