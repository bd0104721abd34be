import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { reply, says, uses } from "../../demo/recording.ts";
import { blocked } from "../../demo/scenarios/blocked.ts";
import { revise } from "../../demo/scenarios/revise.ts";
import type { Told } from "../../demo/server.ts";
import { needsSandbox } from "../needs-sandbox.ts";
import { closings, labelledIssue, minuteMilliseconds, open } from "./on-stage.ts";

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
});
