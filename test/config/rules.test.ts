import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asProblems } from "../../src/config/config-problems.ts";
import { globProblem } from "../../src/config/glob.ts";
import { writeJsonSchema } from "../../src/config/json-schema.ts";
import { narrowRules } from "../../src/config/narrow-rules.ts";
import { nearestName } from "../../src/config/nearest-name.ts";
import { defaultRules } from "../../src/config/normalize.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { rubricNames } from "../../src/config/rubric-names.ts";
import { rulesVersion } from "../../src/config/rules-version.ts";

const offer = { engines: ["builtin"], models: ["big-model"], autoForEveryone: false };

function narrow(text: string) {
  const parsed = parseConfig([{ name: "f.yml", text }]);
  if (parsed.kind !== "ok") throw new Error("the file is invalid");
  return narrowRules(parsed.rules, offer, parsed.sources);
}

test("schema.json is the schema", () => {
  const written = readFileSync(new URL("../../src/config/schema.json", import.meta.url), "utf8");
  expect(written, "write it anew with writeJsonSchema()").toBe(writeJsonSchema());
});

test("the rubrics that may be named are the rubrics there are", () => {
  const files = readdirSync(new URL("../../src/judges/rubrics", import.meta.url));
  expect(files.toSorted()).toEqual(rubricNames.map((name) => `${name}.md`));
});

test("the default rules ask for nothing that has to be offered", () => {
  expect(narrowRules(defaultRules, { engines: [], models: [], autoForEveryone: false }, new Map())).toEqual([]);
  expect(defaultRules.judges.flatMap((judge) => judge.when).map(globProblem)).toEqual([null]);
});

test("what the operator does not offer is refused, with place and nearest name", () => {
  const problems = narrow(
    "implement: { engine: bultin, model: big-model }\njudges: [{ name: a, rubrics: [tests], model: huge }]\njudge: { auto_for: everyone }",
  );
  expect(problems.map(({ path, line, nearest }) => [path, line, nearest])).toEqual([
    ["implement.engine", 1, "builtin"],
    ["judges.0.model", 2, null],
    ["judge.auto_for", 3, null],
  ]);
  expect(asProblems(problems)[0]).toMatchObject({
    code: "config-invalid",
    message:
      "f.yml, line 1: implement.engine is not an engine that the operator offers: bultin; offered are default, builtin.",
    cure: expect.stringContaining("`builtin`"),
  });
});

test("the version of rules is stable under order and differs with every value", () => {
  const reversed = Object.fromEntries(Object.entries(defaultRules).toReversed()) as unknown as typeof defaultRules;
  expect(rulesVersion(reversed)).toBe(rulesVersion(defaultRules));
  expect(rulesVersion(defaultRules)).toMatch(/^[0-9a-f]{16}$/);
  expect(rulesVersion({ ...defaultRules, setup: ["make"] })).not.toBe(rulesVersion(defaultRules));
});

test.each([
  ["max_revision", "max_revisions"],
  ["Max-Revisions", "max_revisions"],
  ["zzzzzzzz", null],
  ["x".repeat(5_000), null],
])("the name nearest to %.20j is %j", (written, nearest) => {
  expect(nearestName(written, ["label", "max_revisions"])).toBe(nearest);
});
