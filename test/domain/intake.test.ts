import { describe, expect, test } from "vitest";
import type { HookFacts } from "../../src/domain/hook-facts.ts";
import { decideIntake, type Intake, type IntakeRules } from "../../src/domain/intake.ts";
import type { Person } from "../../src/domain/trigger.ts";

const rules: IntakeRules = {
  label: "gavel",
  permission: "write",
  bots: ["renovate"],
  self: "octo-gavel",
  auto: [],
  autoFor: "members",
};
const person: Person = { login: "maintainer", type: "User" };
const issue = { kind: "issue", number: 7 } as const;
const pull = { kind: "pull-request", number: 8 } as const;
const ask = (facts: HookFacts, changes: Partial<IntakeRules> = {}) => decideIntake(facts, { ...rules, ...changes });
const demand = { person, needs: "write" } as const;

const labeled = (
  label: string,
  item: typeof issue | typeof pull = issue,
  sender: Person | null = person,
): HookFacts => ({
  kind: "labeled",
  item,
  label,
  sender,
});
const commented = (
  name: "implement" | "judge" | "revise" | "approve" | "cancel" | "status" | "help",
  item: typeof issue | typeof pull,
  author: Person | null = person,
): HookFacts => ({
  kind: "comment-created",
  item,
  author,
  command: { name, rest: "with care" },
});

describe("a label", () => {
  const start = (chain: "implement" | "judge"): Intake => ({
    kind: "start",
    chain,
    cause: "label",
    instructions: "",
    demand,
  });
  test.each([
    ["gavel", issue, start("implement")],
    ["GAVEL", issue, start("implement")],
    ["gavel", pull, start("judge")],
    ["gavel:judge", pull, start("judge")],
    ["Gavel:Judge", pull, start("judge")],
    ["gavel:stop", issue, { kind: "stop", cause: "label", demand }],
    ["GAVEL:STOP", pull, { kind: "stop", cause: "label", demand }],
  ] as const)("%s on %j", (label, item, expected) => {
    expect(ask(labeled(label, item))).toEqual(expected);
  });

  test.each(["bug", "gavel:needs-human", "gavel2", "gav", ""])("%j means nothing", (label) => {
    expect(ask(labeled(label)).kind).toBe("ignore");
    expect(ask(labeled(label, pull)).kind).toBe("ignore");
  });

  test("only pull requests can be judged", () => {
    expect(ask(labeled("gavel:judge", issue)).kind).toBe("ignore");
  });

  test("five labels in a burst make one chain", () => {
    const burst = ["bug", "Gavel", "help wanted", "gavel:needs-human", "good first issue"];
    expect(burst.map((label) => ask(labeled(label)).kind)).toEqual(["ignore", "start", "ignore", "ignore", "ignore"]);
  });

  test("taken off, by whomever, starts and stops nothing", () => {
    for (const label of ["gavel", "gavel:stop"]) {
      for (const sender of [person, null, { login: "octo-gavel[bot]", type: "Bot" } as const]) {
        expect(ask({ kind: "unlabeled", item: issue, label, sender }).kind).toBe("ignore");
      }
    }
  });

  test("the rules' own name and permission", () => {
    expect(ask(labeled("Do It"), { label: "do it", permission: "maintain" })).toMatchObject({
      kind: "start",
      demand: { needs: "maintain" },
    });
    expect(ask(labeled("gavel"), { label: "do it" }).kind).toBe("ignore");
  });
});

describe("a command", () => {
  test.each([
    ["implement", issue, { kind: "start", chain: "implement", cause: "command", instructions: "with care", demand }],
    ["judge", pull, { kind: "start", chain: "judge", cause: "command", instructions: "with care", demand }],
    ["revise", pull, { kind: "command", name: "revise", rest: "with care", demand }],
    ["approve", issue, { kind: "command", name: "approve", rest: "with care", demand }],
    ["status", pull, { kind: "command", name: "status", rest: "with care", demand }],
    ["help", issue, { kind: "command", name: "help", rest: "with care", demand }],
    ["cancel", issue, { kind: "stop", cause: "command", demand }],
    ["cancel", pull, { kind: "stop", cause: "command", demand }],
  ] as const)("%s on %j", (name, item, expected) => {
    expect(ask(commented(name, item))).toEqual(expected);
    const command = { name, rest: "with care" };
    expect(ask({ kind: "review-submitted", item, author: person, command })).toEqual(expected);
  });

  test.each([
    ["implement", pull],
    ["judge", issue],
    ["revise", issue],
  ] as const)("%s on %j is in the wrong place", (name, item) => {
    expect(ask(commented(name, item))).toMatchObject({ kind: "wrong-place", name, demand });
  });

  test("a comment without one, an edited and a deleted one start nothing", () => {
    expect(ask({ kind: "comment-created", item: issue, author: person, command: null }).kind).toBe("ignore");
    expect(ask({ kind: "comment-changed", item: issue }).kind).toBe("ignore");
  });
});

describe("who asks", () => {
  const asksAs = (who: Person | null) =>
    [
      labeled("gavel", issue, who),
      labeled("gavel:stop", issue, who),
      commented("implement", issue, who),
      commented("cancel", issue, who),
      commented("judge", issue, who),
    ].map((facts) => ask(facts).kind);
  const nothing = ["ignore", "ignore", "ignore", "ignore", "ignore"];
  const all = ["start", "stop", "start", "stop", "wrong-place"];

  test.each<readonly [string, Person | null, readonly string[]]>([
    ["a person", person, all],
    ["a deleted account", null, nothing],
    ["our own bot", { login: "octo-gavel[bot]", type: "Bot" }, nothing],
    ["our own bot, without the suffix", { login: "octo-gavel", type: "Bot" }, nothing],
    ["our own bot, in another case", { login: "Octo-Gavel[BOT]", type: "unknown" }, nothing],
    ["our own bot, called a user", { login: "octo-gavel[bot]", type: "User" }, nothing],
    ["the App's owner, who has the same bare name", { login: "octo-gavel", type: "User" }, all],
    ["another bot", { login: "dependabot[bot]", type: "Bot" }, nothing],
    ["another bot, called a user", { login: "dependabot[bot]", type: "User" }, nothing],
    ["an allowed bot", { login: "renovate[bot]", type: "Bot" }, all],
    ["an allowed bot, in another case", { login: "Renovate", type: "Bot" }, all],
  ])("%s", (_name, who, expected) => {
    expect(asksAs(who)).toEqual(expected);
  });

  test("the list of bots may hold the suffix, and never allows ourselves", () => {
    const bots = ["Renovate[bot]", "octo-gavel", "octo-gavel[bot]"];
    expect(ask(labeled("gavel", issue, { login: "renovate[bot]", type: "Bot" }), { bots }).kind).toBe("start");
    expect(ask(labeled("gavel", issue, { login: "octo-gavel[bot]", type: "Bot" }), { bots }).kind).toBe("ignore");
    expect(ask(labeled("gavel"), { self: "octo-gavel[bot]" }).kind).toBe("start");
  });
});

describe("a pull request's new head", () => {
  const changed = (changes: Partial<Extract<HookFacts, { kind: "pull-request-changed" }>> = {}): HookFacts => ({
    kind: "pull-request-changed",
    event: "synchronize",
    item: pull,
    author: person,
    sender: person,
    draft: false,
    ...changes,
  });
  const auto = ["synchronize"] as const;

  test("is judged only where the rules name the event", () => {
    expect(ask(changed()).kind).toBe("ignore");
    expect(ask(changed({ event: "opened" }), { auto }).kind).toBe("ignore");
    expect(ask(changed(), { auto })).toEqual({
      kind: "start",
      chain: "judge",
      cause: "auto",
      instructions: "",
      demand,
    });
  });

  test("needs the author's permission, unless it is for everyone", () => {
    const author = { login: "contributor", type: "User" } as const;
    expect(ask(changed({ author }), { auto })).toMatchObject({ demand: { person: author, needs: "write" } });
    expect(ask(changed({ author }), { auto, autoFor: "everyone" })).toMatchObject({ demand: { needs: "none" } });
  });

  test("drafts, our own pushes, other bots' and ghosts' pull requests are left alone", () => {
    const self = { login: "octo-gavel[bot]", type: "Bot" } as const;
    expect(ask(changed({ draft: true }), { auto }).kind).toBe("ignore");
    expect(ask(changed({ sender: self }), { auto }).kind).toBe("ignore");
    expect(ask(changed({ author: self, sender: person }), { auto }).kind).toBe("ignore");
    expect(ask(changed({ author: { login: "dependabot[bot]", type: "Bot" } }), { auto }).kind).toBe("ignore");
    expect(ask(changed({ author: null }), { auto }).kind).toBe("ignore");
    expect(ask(changed({ sender: null }), { auto }).kind).toBe("start");
  });
});

describe("what has happened to the item", () => {
  test.each(["item-closed", "item-deleted", "item-transferred"] as const)("%s stops, and nobody is asked", (kind) => {
    expect(ask({ kind, item: issue, sender: null })).toEqual({ kind: "stop", cause: kind, demand: null });
  });
  test("an uninstalled App stops", () => {
    expect(ask({ kind: "uninstalled" })).toEqual({ kind: "stop", cause: "uninstalled", demand: null });
  });
  test("reopening, and anything else, asks for nothing", () => {
    expect(ask({ kind: "item-reopened", item: issue, sender: person }).kind).toBe("ignore");
    expect(ask({ kind: "other", name: "star.created" })).toEqual({
      kind: "ignore",
      reason: "star.created asks for nothing",
    });
  });
});
