import { type Reply, reply, says, uses } from "../recording.ts";

export const title = "formatDuration says 60m instead of 1h";

export const body = [
  "`formatDuration(3600)` gives `60m`. It should give `1h`, and `formatDuration(3725)` should give `1h 2m 5s`.",
  "",
  "Acceptance:",
  "- hours are said when there are any",
  "- everything below an hour stays as it is",
  "- tests cover it",
].join("\n");

const before = `export function formatDuration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return \`\${rest}s\`;
  return rest === 0 ? \`\${minutes}m\` : \`\${minutes}m \${rest}s\`;
}`;

export const good = `export function formatDuration(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  const parts = [hours > 0 && \`\${hours}h\`, minutes > 0 && \`\${minutes}m\`, rest > 0 && \`\${rest}s\`];
  return parts.filter(Boolean).join(" ") || "0s";
}`;

/** The same without the case of nothing at all: the repository's own test for 0 fails. */
export const forgetsZero = good.replace(' || "0s"', "");

const lastTest = `  assert.equal(formatDuration(75), "1m 15s");
});`;

const hourTest = `${lastTest}

test("says hours", () => {
  assert.equal(formatDuration(3600), "1h");
});`;

const hourTests = hourTest.replace(
  'assert.equal(formatDuration(3600), "1h");',
  'assert.equal(formatDuration(3599), "59m 59s");\n  assert.equal(formatDuration(3600), "1h");\n  assert.equal(formatDuration(3725), "1h 2m 5s");',
);

export const look = reply(says("I look at the function first."), uses("read", { path: "src/duration.js" }));

export const replaceFunction = (from: string, to: string): Reply =>
  reply(uses("edit", { path: "src/duration.js", old: from, new: to }));

export const writeFunction = (to: string): Reply => replaceFunction(before, to);

export const addHourTest = reply(uses("edit", { path: "test/duration.test.js", old: lastTest, new: hourTest }));

export const addHourTests = reply(uses("edit", { path: "test/duration.test.js", old: lastTest, new: hourTests }));

export const runTests = reply(uses("run", { command: "node --test" }));

/** The last reply of a turn: words and the artifact. */
export function done(artifact: {
  readonly summary: string;
  readonly files: readonly (readonly [path: string, reason: string])[];
  readonly question?: { readonly question: string; readonly readings: readonly string[] };
}): Reply {
  const json = {
    summary: artifact.summary,
    files_changed: artifact.files.map(([path, reason]) => ({ path, reason })),
    tests_run: artifact.files.length === 0 ? [] : ["node --test"],
    expected_behavior: "formatDuration(3600) is 1h; below an hour nothing changes",
    ...(artifact.question === undefined ? {} : { question: artifact.question }),
  };
  return reply(says(`${artifact.summary}\n\n<coding_artifact>\n${JSON.stringify(json, null, 2)}\n</coding_artifact>`));
}

export const doneWithTests = done({
  summary: "Hours are said, and tests cover the hour and what is just below it.",
  files: [
    ["src/duration.js", "say hours"],
    ["test/duration.test.js", "cover hours"],
  ],
});

export interface JudgeFinding {
  readonly id: string;
  readonly severity: "blocker" | "major" | "minor";
  readonly path: string | null;
  readonly line: number | null;
  readonly summary: string;
  readonly detail: string;
  readonly suggestion: string | null;
}

/** A judge's structured answer. */
export function judgeSays(answer: {
  readonly verdict: "PASS" | "NEEDS_WORK" | "BLOCKED";
  readonly summary: string;
  readonly evidence: string;
  readonly requiredFixes?: readonly string[];
  readonly findings?: readonly JudgeFinding[];
}): Reply {
  return reply(
    says(
      JSON.stringify({
        verdict: answer.verdict,
        summary: answer.summary,
        evidence: answer.evidence,
        required_fixes: answer.requiredFixes ?? [],
        findings: answer.findings ?? [],
      }),
    ),
  );
}

export const noTests = judgeSays({
  verdict: "NEEDS_WORK",
  summary: "The function is right, but nothing keeps it so: no test says an hour.",
  evidence: "test/duration.test.js is unchanged; the brief asks for tests.",
  requiredFixes: ["Add tests for 3600 and for a duration with hours, minutes and seconds."],
  findings: [
    {
      id: "F1",
      severity: "major",
      path: "src/duration.js",
      line: 3,
      summary: "The new branch for hours has no test",
      detail: "The brief asks for tests. With `hours` removed, every test there is would still pass.",
      suggestion: null,
    },
  ],
});

export const passes = judgeSays({
  verdict: "PASS",
  summary: "Hours are said, everything below an hour is as before, and tests cover both sides of the hour.",
  evidence: "Both gates passed on the judged tree; 3599, 3600 and 3725 are asserted.",
});
