import { expect, it } from "vitest";
import { listValues } from "../../src/cli/list-values.ts";
import { parseConfig } from "../../src/config/parse-config.ts";

const text = `version: 1
trigger: { label: go, permission: admin, bots: [renovate], command_prefix: required }
approval: always
setup: [npm ci]
implement:
  { engine: default, model: default, instructions: x, max_revisions: 0, fix_turns: 2, timeout_minutes: 7,
    self_review: { max_iterations: 2 } }
gates:
  detect: false
  required: [test]
  run:
    - { name: test, command: npm test, fix: npm run fix, timeout_minutes: 3, working_directory: app, when: ["a/**"],
        env: { nodeEnv: test } }
judges:
  - { name: code, rubrics: [tests], when: ["**"], required: true, engine: default, model: default, instructions: y,
      timeout_minutes: 5 }
judge:
  { auto: [opened], auto_for: everyone, inline_comments_max: 3, error_conclusion: neutral, gates: never, ignore: [b] }
publish:
  { branch: "x/{number}", base: next, sign_off: true, labels: [l], reviewers: [octocat], close_issue: false }
paths: { deny: [c], allow: [d] }
budget: { usd_per_chain: 1, tokens_per_chain: 5000, minutes_per_chain: 60, chains_per_day: 7 }
`;

it("gives every value of a file that says everything the place where it stands", () => {
  const read = parseConfig([{ name: "all.yml", text }]);
  if (read.kind === "invalid") throw new Error(JSON.stringify(read.problems));
  const values = listValues(read.rules, read.sources);
  expect(values.filter(({ place }) => place === null)).toEqual([]);
  expect(values.length).toBeGreaterThan(45);
  expect(values).toContainEqual(expect.objectContaining({ path: "gates.run.0.env.nodeEnv", value: "test" }));
});

it("gives every value a source where nothing was written: the default", () => {
  const read = parseConfig([]);
  if (read.kind === "invalid") throw new Error(JSON.stringify(read.problems));
  const values = listValues(read.rules, read.sources);
  expect(values.every(({ place }) => place === null)).toBe(true);
  expect(values).toContainEqual({ path: "publish.base", value: "default", place: null });
});
