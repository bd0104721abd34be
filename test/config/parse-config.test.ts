import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { writeProblems } from "../../src/config/config-problems.ts";
import { defaultRules } from "../../src/config/normalize.ts";
import { parseConfig } from "../../src/config/parse-config.ts";

const parse = (...texts: readonly string[]) =>
  parseConfig(texts.map((text, index) => ({ name: `${index === 0 ? "owner" : "repository"}.yml`, text })));

function rulesOf(...texts: readonly string[]) {
  const parsed = parse(...texts);
  if (parsed.kind === "invalid") throw new Error(writeProblems(parsed.problems));
  return parsed.rules;
}

function problemsOf(text: string): readonly string[] {
  const parsed = parse(text);
  return parsed.kind === "ok" ? [] : writeProblems(parsed.problems).split("\n");
}

test.each([[], [""], ["# nothing yet\n"], ["version: 1\n"], ["{}"]])("%j is the defaults", (...texts) => {
  expect(rulesOf(...texts)).toEqual(defaultRules);
});

test("maps merge by key, lists replace, and each value knows its file", () => {
  const parsed = parse(
    "implement: { fix_turns: 2, timeout_minutes: 10 }\nsetup: [npm ci, npm run build]\n",
    "implement:\n  fix_turns: 1\nsetup:\n  - make\n",
  );
  if (parsed.kind !== "ok") throw new Error(writeProblems(parsed.problems));
  expect(parsed.rules.implement).toMatchObject({ fixTurns: 1, timeoutMinutes: 10 });
  expect(parsed.rules.setup).toEqual(["make"]);
  expect(parsed.sources.get("implement.fix_turns")).toEqual({ source: "repository.yml", line: 2, column: 14 });
  expect(parsed.sources.get("implement.timeout_minutes")?.source).toBe("owner.yml");
  expect(parsed.sources.get("setup.0")?.source).toBe("repository.yml");
  expect(parsed.sources.has("setup.1")).toBe(false);
});

test("a gate's values become plain: numbers and flags in env are texts, what is left out has its default", () => {
  const [gate] = rulesOf("gates: { run: [{ name: unit, command: make test, env: { CI: true, PORT: 3000 } }] }").gates
    .run;
  expect(gate).toEqual({
    name: "unit",
    command: "make test",
    fix: null,
    timeoutMinutes: 10,
    workingDirectory: "",
    when: [],
    env: { CI: "true", PORT: "3000" },
  });
});

test("aliases are understood", () => {
  const rules = rulesOf("paths: { deny: &secret [secret/**] }\njudge: { ignore: *secret }\n");
  expect(rules.judge.ignore).toEqual(["secret/**"]);
});

test("all problems are told at once, each with its place and the name that was meant", () => {
  const text = [
    "version: 2",
    "trigger:",
    "  labl: x",
    "  permission: wirte",
    "max_revisions: 1",
    "gates:",
    "  run: [{ name: unit }]",
    "budget:",
    "judges: [{ name: code, rubrics: [corectness] }]",
    "publish: { sign_off: yes please }",
  ].join("\n");
  expect(problemsOf(text)).toEqual([
    "owner.yml:1:10 version must be 1: the only version there is",
    expect.stringMatching(/^owner\.yml:3:3 trigger\.labl is not a key .*did you mean label\?$/),
    expect.stringMatching(/^owner\.yml:4:15 trigger\.permission must be one of .*"wirte"; did you mean write\?$/),
    expect.stringMatching(/^owner\.yml:5:1 max_revisions is not a key .*did you mean implement\.max_revisions\?$/),
    "owner.yml:7:9 gates.run.0.command is missing",
    "owner.yml:8:1 budget is empty: give it a value or remove the key",
    expect.stringMatching(/^owner\.yml:9:34 judges\.0\.rubrics\.0 .*did you mean correctness\?$/),
    'owner.yml:10:22 publish.sign_off must be true or false, not "yes please"',
  ]);
});

const gates = (run: string, more = "") => `gates: { run: [${run}] ${more} }`;

test.each([
  ["implement: { max_revisions: 2 }", /max_revisions must be 0 or 1: two implementer runs a chain .* fixed cap/],
  ["implement: { fix_turns: 6 }", /fix_turns must be at most 5, not 6/],
  ["implement: { self_review: { max_iterations: 4 } }", /max_iterations must be at most 3, not 4/],
  ["implement: { timeout_minutes: 1.5 }", /timeout_minutes must be a whole number/],
  ["budget: { usd_per_chain: .inf }", /usd_per_chain must be a number/],
  ["budget: { usd_per_chain: 0 }", /usd_per_chain must be more than 0/],
  ["budget: { minutes_per_chain: 20 }\nimplement: { timeout_minutes: 30 }", /timeout_minutes is longer than budget/],
  [gates("{ name: a, command: x }, { name: A, command: y }"), /run\.1\.name is the name of gates\.run\.0 already: a/],
  [gates("{ name: policy, command: x }"), /must not be policy/],
  [gates('{ name: a, command: "x\\0y" }'), /holds a NUL/],
  [gates("{ name: a, command: x, working_directory: ../up }"), /working_directory must be a folder below/],
  [gates("{ name: a, command: x, working_directory: /etc }"), /working_directory must be a folder below/],
  [gates("{ name: a, command: x, env: { A-B: 1 } }"), /env\.A-B is not the name of a variable/],
  [gates('{ name: a, command: x, env: { A: "${{ secrets.X }}" } }'), /must be a literal value/],
  [gates("{ name: test, command: x }", ", detect: false, required: [tset]"), /required\.0 names a gate .*mean test\?/],
  ["judges: [{ name: a, rubrics: [tests] }, { name: a, rubrics: [tests] }]", /judges\.1\.name is the name of/],
  ["judges: [{ name: a, rubrics: [tests], required: false }]", /holds no judge with required: true/],
  ["judges: [{ name: a, rubrics: [] }]", /rubrics must have at least 1 entries/],
  ['judges: [{ name: a, rubrics: [tests], when: ["src/[a"] }]', /when\.0 is not a valid glob/],
  ['judge: { ignore: ["/src/**"] }', /ignore\.0 must not begin with a slash/],
  ['judge: { ignore: ["../x"] }', /ignore\.0 must not (begin with|leave)/],
  ['judge: { ignore: ["*a*a*a*a*a"] }', /ignore\.0 has more than 3 \*/],
  ['judge: { ignore: ["+(a)"] }', /ignore\.0 uses an extended pattern/],
  ["publish: { branch: gavel/work }", /branch must hold \{number\}/],
  ['publish: { branch: "{number}-{slgu}" }', /branch holds \{slgu\}.*did you mean \{slug\}\?/],
  ['publish: { branch: "{number}~x" }', /branch gives names that can not be used/],
  ['publish: { base: "a..b" }', /base is not the name of a branch/],
  ["publish: { reviewers: [a/b/c] }", /reviewers\.0 is neither a login nor/],
  ["trigger: { label: Gavel:Stop }", /label must not be Gavel:Stop/],
  ["paths: { deny: [a], allow: [a] }", /allow\.0 is denied by paths\.deny/],
  ["approval: never\napproval: always", /^owner\.yml:2:1 approval is written twice/],
  ["? [a]\n: 1", /holds a key that is not a plain name/],
  ["__proto__: { trigger: 1 }", /holds a key that is not a plain name/],
  ["a: &a [*a]", /is nested too deeply/],
  ["setup: *nothing", /setup names no anchor|Unresolved alias/],
  ["setup: [x", /is not valid YAML/],
  ["--- 1\n--- 2", /is not valid YAML/],
  ["just words", /must be a map of keys, not "just words"/],
  ["- 1", /must be a map of keys, not a list/],
  [`# ${"x".repeat(65_536)}`, /the file is larger than 64 KiB/],
  ["[".repeat(60_000), /not valid YAML|nested too deeply/],
])("%.60j is refused", (text, reason) => {
  expect(problemsOf(text).join("\n")).toMatch(reason);
});

test("aliases of aliases can not grow without end", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 9; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
  }
  expect(problemsOf(lines.join("\n")).join("\n")).toMatch(/values with its aliases written out|more than 100 aliases/);
});

test("an invalid file still says who may ask, where that part can be read", () => {
  const parsed = parse("trigger: { label: go, permission: admin }\nimplement: { fix_turns: 9 }");
  expect(parsed).toMatchObject({ kind: "invalid", trigger: { label: "go", permission: "admin" } });
  expect(parse("trigger: { label: go, permission: anyone }")).toMatchObject({
    kind: "invalid",
    trigger: defaultRules.trigger,
  });
});

test("never throws, whatever the text", () => {
  const yamlish = array(
    constantFrom(
      "a: ",
      "trigger:",
      "\n",
      "  ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "&a",
      "*a",
      "!!x ",
      "|",
      ">",
      "'",
      '"',
      "? ",
      "~",
      "1",
      "%",
    ),
    {
      maxLength: 40,
    },
  ).map((parts) => parts.join(""));
  assert(
    property(oneof(yamlish, string({ unit: "binary" })), (text) => {
      expect(["ok", "invalid"]).toContain(parse(text).kind);
    }),
    { numRuns: 500 },
  );
});
