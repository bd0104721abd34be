import { describe, expect, test } from "vitest";
import { commandTable, isInPlace, matchCommand, wrongPlace } from "../../src/domain/command.ts";

const names = commandTable.map(({ name }) => name);

test("the table holds each command once, and where it works", () => {
  expect(names).toEqual(["implement", "judge", "revise", "approve", "cancel", "status", "help"]);
  expect(names.filter((name) => isInPlace(name, "issue"))).toEqual([
    "implement",
    "approve",
    "cancel",
    "status",
    "help",
  ]);
  expect(names.filter((name) => isInPlace(name, "pull-request"))).toEqual([
    "judge",
    "revise",
    "approve",
    "cancel",
    "status",
    "help",
  ]);
});

describe("a line", () => {
  test.each(names)("/%s is understood in both forms, in any case", (name) => {
    for (const word of [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]) {
      expect(matchCommand(`/${word}`, "optional")).toEqual({ name, rest: "" });
      expect(matchCommand(`/${word}`, "required")).toBeNull();
      for (const prefix of ["optional", "required"] as const) {
        expect(matchCommand(`/gavel ${word}`, prefix)).toEqual({ name, rest: "" });
        expect(matchCommand(`/GAVEL\t${word}  with  care `, prefix)).toEqual({ name, rest: "with  care" });
      }
    }
  });

  test.each([
    ["/judge gates 0123456789ab", "gates 0123456789ab"],
    ["/judge\tthe tests", "the tests"],
    ["/judge \r", ""],
    ["/judge\u00A0the tests", "the tests"],
  ])("%j → %j", (line, rest) => {
    expect(matchCommand(line, "optional")).toEqual({ name: "judge", rest });
  });

  test.each([
    "judge",
    " /judge",
    "please /judge",
    "> /judge",
    "`/judge`",
    "/judges",
    "/judge:",
    "/judge.",
    "/judge/it",
    "//judge",
    "/ judge",
    "/gavel",
    "/gavel ",
    "/gaveljudge",
    "/gavel-judge",
    "/gavel gavel judge",
    "/gavel /judge",
    "/gavel\njudge",
    "/constructor",
    "/usr/bin/env",
    "",
  ])("%j is no command", (line) => {
    expect(matchCommand(line, "optional")).toBeNull();
  });
});

test("a command in the wrong place names one that is right there", () => {
  for (const { name, where } of commandTable) {
    const says = wrongPlace(name);
    expect(says).toMatch(new RegExp(`^\`/${name}\` works on `));
    expect(says).not.toContain("\n");
    if (where.length > 1) continue;
    const here = where[0] === "issue" ? "pull-request" : "issue";
    const named = [...says.matchAll(/`\/([a-z]+)`/g)].map((match) => match[1]).filter((word) => word !== name);
    expect(named.length).toBeGreaterThan(0);
    for (const other of named) {
      const right = names.find((known) => known === other);
      expect(right !== undefined && isInPlace(right, here), `${other} on ${here}`).toBe(true);
    }
  }
});
