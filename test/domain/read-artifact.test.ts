import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readArtifact } from "../../src/domain/read-artifact.ts";

const least = { summary: "s", files_changed: [], tests_run: [], expected_behavior: "e" };
const block = (json: unknown) =>
  `<coding_artifact>\n${typeof json === "string" ? json : JSON.stringify(json, null, 2)}\n</coding_artifact>`;
const complaint = (reply: string) => {
  const reading = readArtifact(reply);
  return reading.kind === "malformed" ? reading.complaint : reading.kind;
};

test("a whole artifact, behind words, with any line ends", () => {
  const json = {
    ...least,
    files_changed: [{ path: "src/a.ts", reason: "r".repeat(120) }],
    tests_run: ["npm test: 3 passed"],
    edge_cases: ["59 minutes"],
    risks: [],
    contested: [{ id: "F1", why: "it is checked above" }],
    question: { question: "Which?", readings: ["this", "that"] },
  };
  const expected = {
    kind: "given",
    artifact: {
      summary: "s",
      filesChanged: json.files_changed,
      testsRun: json.tests_run,
      expectedBehavior: "e",
      edgeCases: json.edge_cases,
      risks: [],
      contested: json.contested,
      question: json.question,
    },
  };
  const reply = `Done. I end with a <coding_artifact> as asked.\n\n${block(json)}\n\n`;
  expect(readArtifact(reply)).toEqual(expected);
  expect(readArtifact(reply.replaceAll("\n", "\r\n"))).toEqual(expected);
});

test("what may be left out is empty", () => {
  expect(readArtifact(block(least))).toMatchObject({
    kind: "given",
    artifact: { edgeCases: [], risks: [], contested: [], question: null },
  });
  expect(readArtifact(block({ ...least, question: null }))).toMatchObject({ artifact: { question: null } });
});

test("tags inside the JSON's texts are text", () => {
  const summary = "writes <coding_artifact>\n</coding_artifact> as told";
  expect(readArtifact(block({ ...least, summary }))).toMatchObject({ artifact: { summary } });
});

test.each(["", "Done.", "```json\n{}\n```", "I have a question: which?"])("missing: %j", (reply) => {
  expect(readArtifact(reply)).toEqual({ kind: "missing" });
});

describe("malformed, and told exactly", () => {
  test.each([
    ["<coding_artifact>{}</coding_artifact>", "there is no line that holds only <coding_artifact>"],
    ["<coding_artifact>\n{}", "there is no line that holds only </coding_artifact>"],
    ["<coding_artifact>\n{}\n</coding_artifact>.", "there is no line that holds only </coding_artifact>"],
    ["</coding_artifact>\n<coding_artifact>", "</coding_artifact> comes before <coding_artifact>"],
    [`${block(least)}\n${block(least)}`, "there is more than one block"],
    [`${block(least)}\n</coding_artifact>`, "there is more than one block"],
    [`${block(least)}\nDone.`, "something stands behind </coding_artifact>"],
    [`\`\`\`\n${block(least)}\n\`\`\``, "something stands behind </coding_artifact>"],
    [block(`{"summary": "a", "summary": "b"}`), 'the key "summary" is there twice'],
    [block(`{"summary": "a", "s\\u0075mmary": "b"}`), 'the key "s\\u0075mmary" is there twice'],
    [block([]), "`the block` has to be an object"],
    [block("null"), "`the block` has to be an object"],
    [block({ ...least, note: 1 }), "`the block` has the unknown key `note`"],
    [block({ ...least, filesChanged: [] }), "`the block` has the unknown key `filesChanged`"],
    [block({ ...least, summary: " " }), "`summary` has to be a text that is not empty"],
    [block({ ...least, tests_run: "npm test" }), "`tests_run` has to be a list"],
    [block({ ...least, tests_run: [1] }), "`tests_run[0]` has to be a text that is not empty"],
    [block({ ...least, files_changed: [{ path: "a" }] }), "`files_changed[0]` lacks the key `reason`"],
    [
      block({ ...least, files_changed: [{ path: "a", reason: "r".repeat(121) }] }),
      "`files_changed[0].reason` is longer than 120 characters",
    ],
    [block({ ...least, files_changed: ["a"] }), "`files_changed[0]` has to be an object"],
    [block({ ...least, contested: [{ id: "F1", why: "w", by: "me" }] }), "`contested[0]` has the unknown key `by`"],
    [block({ ...least, question: "Which?" }), "`question` has to be an object"],
    [
      block({ ...least, question: { question: "Which?", readings: ["one"] } }),
      "`question.readings` needs at least two concrete readings",
    ],
    [block({ ...least, summary: "x".repeat(200_000) }), "it is longer than 200000 characters"],
  ])("%#", (reply, expected) => {
    expect(complaint(reply)).toBe(expected);
  });

  test("all complaints at once", () => {
    expect(complaint(block({ summary: 1, files_changed: [] }))).toBe(
      "`the block` lacks the key `tests_run`; `the block` lacks the key `expected_behavior`; `summary` has to be a text that is not empty",
    );
  });

  test.each([`{"summary": "a",}`, "{'summary': 'a'}", `{"summary": "a"`, "", "// no\n{}", "[".repeat(100_000)])(
    "what is not JSON (%#)",
    (json) => {
      expect(complaint(block(json))).toMatch(/^it is not JSON: /);
    },
  );

  test("a key that only inherits a name is unknown like any other", () => {
    const json = JSON.stringify(least).replace("{", '{"__proto__": {"summary": "x"}, ');
    expect(complaint(block(json))).toBe("`the block` has the unknown key `__proto__`");
  });
});

test("it reads whatever stands there, never throws, and finds what was written", () => {
  const texts = fc.string({ unit: "binary", minLength: 1 }).map((text) => `x${text}`);
  fc.assert(
    fc.property(texts, fc.array(texts), fc.string({ unit: "binary" }), (summary, risks, before) => {
      const reading = readArtifact(`${before}\n${block({ ...least, summary, risks })}`);
      expect(reading).toMatchObject({ kind: "given", artifact: { summary, risks } });
      const cut = block({ ...least, summary }).slice(0, -1 - (summary.length % 60));
      expect(readArtifact(cut).kind).toBe("malformed");
    }),
  );
  const pieces = fc.constantFrom(
    "<coding_artifact>",
    "</coding_artifact>",
    "\n",
    "{",
    "}",
    '"',
    "a",
    ":",
    JSON.stringify(least),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const { kind } = readArtifact(parts.join(""));
      expect(["given", "missing", "malformed"]).toContain(kind);
    }),
    { numRuns: 2_000 },
  );
});
