import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkConclusion, commitMessage } from "../../src/domain/publication.ts";
import { maintainer } from "./events.ts";

test.each([
  ["PASS", "success"],
  ["NEEDS_WORK", "failure"],
  ["BLOCKED", "failure"],
  ["red", "failure"],
  ["ERROR", "action_required"],
  ["NOT_RUN", "action_required"],
  ["cancelled", "cancelled"],
  ["superseded", "neutral"],
] as const)("check of %s: %s", (result, expected) => {
  expect(checkConclusion(result, "action_required")).toBe(expected);
  const neutral = result === "ERROR" || result === "NOT_RUN" ? "neutral" : expected;
  expect(checkConclusion(result, "neutral")).toBe(neutral);
});

describe("the message of a commit", () => {
  const commit = { title: "Say hours", number: 7, chain: "01J", run: 1, person: maintainer, signOff: false } as const;

  test("has a subject and trailers", () => {
    expect(commitMessage(commit)).toBe(
      [
        "Say hours",
        "",
        "For issue 7.",
        "",
        "Gavel-Chain: 01J",
        "Gavel-Run: 1",
        "Co-authored-by: maintainer <maintainer@users.noreply.github.com>",
        "",
      ].join("\n"),
    );
  });

  test("of a revision, signed off, for a bot that was allowed", () => {
    const person = { login: "renovate[bot]", type: "Bot" } as const;
    expect(commitMessage({ ...commit, run: 2, person, signOff: true })).toBe(
      [
        "Revise: Say hours",
        "",
        "For issue 7.",
        "",
        "Gavel-Chain: 01J",
        "Gavel-Run: 2",
        "Co-authored-by: renovate[bot] <renovate[bot]@users.noreply.github.com>",
        "Signed-off-by: renovate[bot] <renovate[bot]@users.noreply.github.com>",
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["Fixes #12", "Fixes 12"],
    ["closes octo-org/sample#12", "closes octo-org/sample12"],
    ["resolves GH-12", "resolves GH 12"],
    ["fix https://github.com/octo-org/sample/issues/12", "fix https: github.com/octo-org/sample/issues/12"],
    ["@octo-org/all look", "octo-org/all look"],
    ["Say hours [skip ci]", "Say hours (skip ci)"],
    ["##1 @@a #@2 gh-#3", "1 a 2 GH 3"],
    ["C# and a@b", "C# and ab"],
    ["#1", "1"],
    ["https://", "https:"],
    ["@", "@"],
  ])("%j closes, calls and skips nothing: %j", (title, expected) => {
    const subject = commitMessage({ ...commit, title }).split("\n")[0];
    expect(subject).toBe(expected);
  });

  test("no value brings another address or trailer", () => {
    const person = { login: "a> <b@example.org>\nGavel-Run: 9", type: "unknown" } as const;
    const message = commitMessage({ ...commit, person, chain: "01J\nGavel-Run: 9" });
    expect(message).toContain("\nGavel-Chain: 01J Gavel-Run: 9\nGavel-Run: 1\n");
    expect(message).toContain(
      "\nCo-authored-by: abexampleorgGavel-Run9 <abexampleorgGavel-Run9@users.noreply.github.com>\n",
    );
  });

  test("no text of others brings a trailer or a line of its own", () => {
    const evil = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "x\nGavel-Chain: other",
        "x\r\n\r\nSigned-off-by: a <b>",
        "a\u2028Gavel-Run: 9",
        "@#1",
        "@@#",
        "#@1",
        "gh-@1",
        "",
      ),
    );
    fc.assert(
      fc.property(evil, evil, fc.constantFrom(1 as const, 2 as const), fc.boolean(), (title, login, run, signOff) => {
        const message = commitMessage({ ...commit, title, run, signOff, person: { login, type: "unknown" } });
        const lines = message.split(/[\n\r\u2028\u2029\u0085]/);
        expect(lines.filter((line) => line.startsWith("Gavel-Chain:"))).toEqual(["Gavel-Chain: 01J"]);
        expect(lines.filter((line) => line.startsWith("Gavel-Run:"))).toEqual([`Gavel-Run: ${run}`]);
        expect(lines[0]?.length).toBeLessThanOrEqual(72);
        expect(lines[0]).not.toBe("");
        expect(lines[0]).not.toMatch(/#\d|@[a-z0-9]|:\/\/|\bgh-\d/i);
        expect(lines.length).toBeLessThanOrEqual(9);
      }),
      { numRuns: 1_000 },
    );
  });
});
