import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { type Recorded, reply, says, uses } from "../../demo/recording.ts";
import { judgeSays } from "../../demo/scenarios/parts.ts";
import { blocked } from "../../demo/scenarios/blocked.ts";
import { pass } from "../../demo/scenarios/pass.ts";
import { revise } from "../../demo/scenarios/revise.ts";
import type { Told } from "../../demo/server.ts";
import { openStage, type Stage } from "../../demo/stage.ts";
import { hasSandbox, needsSandbox } from "../needs-sandbox.ts";

const minuteMilliseconds = 60_000;

let stage: Stage | null = null;

afterEach(async () => {
  const opened = stage;
  stage = null;
  if (opened === null) return;
  try {
    opened.world.assertClean();
  } finally {
    await opened.close();
  }
});

async function open(recorded: readonly Recorded[], files: Record<string, string> = {}): Promise<Stage> {
  stage = await openStage({ recorded, sandboxed: hasSandbox, files });
  await stage.start();
  return stage;
}

async function labelledIssue(on: Stage, by = "maintainer"): Promise<number> {
  const { number } = await on.world.openIssue({
    repo: on.repository,
    login: "contributor",
    title: pass.title,
    body: pass.body,
  });
  await on.world.labelIssue(on.repository, number, by, "gavel");
  return number;
}

const closings = (told: readonly Told[]): string[] =>
  told.flatMap((item) => (item.kind === "event" && item.event.kind === "closed" ? [item.event.outcome] : []));

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").includes(text);
      } catch {
        return false;
      }
    });
}

needsSandbox("a chain's life", { timeout: 3 * minuteMilliseconds }, () => {
  it("starts anew when the label is put on again, on a free branch, and links the older draft", async () => {
    const on = await open(blocked.recorded);
    const { world, repository } = on;
    const number = await labelledIssue(on);
    await on.waitFor("the first end", () => closings(on.told).length === 1);
    expect(world.issue(repository, number).labels).toEqual(["gavel:needs-human"]);

    await world.labelIssue(repository, number, "maintainer", "Gavel");
    await on.waitFor("the second end", () => closings(on.told).length === 2);
    const [older, newer] = world.pullRequests(repository);
    expect(world.branches(repository)).toEqual([`${older?.headRef}`, `${older?.headRef}-2`, "main"]);
    expect(newer?.headRef).toBe(`${older?.headRef}-2`);
    expect(older?.comments.at(-1)?.body).toContain(`opened #${newer?.number}`);
    expect(older?.comments.filter((comment) => comment.body.includes("superseded"))).toHaveLength(1);
    expect(closings(on.told)).toEqual(["blocked", "blocked"]);
  });

  it("stops within seconds when it is cancelled, with a closing comment and no process left", async () => {
    const marker = "4242.125";
    const on = await open([
      {
        caller: "implementer/builtin/run1/turn1",
        replies: [reply(says("I wait."), uses("run", { command: `sleep ${marker}` }))],
      },
    ]);
    const { world, repository } = on;
    const number = await labelledIssue(on);
    await on.waitFor("the agent's command", () => on.told.some((item) => item.kind === "progress"));
    await expect.poll(() => processesWith(`sleep ${marker}`).length, { timeout: 20_000 }).toBeGreaterThan(0);

    await world.comment(repository, number, "maintainer", "/cancel");
    await on.waitFor("the end", () => closings(on.told).length === 1, 30_000);
    expect(closings(on.told)).toEqual(["cancelled"]);
    await expect.poll(() => processesWith(`sleep ${marker}`), { timeout: 5_000 }).toEqual([]);
    expect(world.pullRequests(repository)).toEqual([]);
    expect(world.issue(repository, number).comments[0]?.body).toContain("Gavel has finished: cancelled");
  });

  it("goes on with a pending chain after an upgrade with another rule", async () => {
    const on = await open(revise.recorded);
    await labelledIssue(on);
    const asksRevision = (item: Told): boolean =>
      item.kind === "decided" && item.step.kind === "turn" && item.step.run === 2;
    await on.waitFor("the decision for a revision", () => on.told.some(asksRevision));
    await on.server().kill();
    await on.start({}, fileURLToPath(new URL("programs/upgraded-main.ts", import.meta.url)));
    await on.waitFor("the end", () => closings(on.told).length > 0);
    // The stored decision was replayed; the new rule would have handed the change over as a draft.
    expect(closings(on.told)).toEqual(["passed"]);

    await labelledIssue(on);
    await on.waitFor("the end under the new rule", () => closings(on.told).length === 2);
    expect(closings(on.told)).toEqual(["passed", "needs-work"]);
  });

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
