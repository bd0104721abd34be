import { addHourTest, body, done, good, judgeSays, look, noTests, runTests, title, writeFunction } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const stillMissing = judgeSays({
  verdict: "NEEDS_WORK",
  summary: "The test for a whole hour is there; the one for a mixed duration, which the brief names, is not.",
  evidence: "The brief names formatDuration(3725); no test does.",
  requiredFixes: ["Assert that formatDuration(3725) is `1h 2m 5s`."],
  findings: [
    {
      id: "F2",
      severity: "major",
      path: "test/duration.test.js",
      line: 16,
      summary: "The mixed duration of the brief is not tested",
      detail: "An implementation that drops minutes once there are hours would pass.",
      suggestion: null,
    },
  ],
});

/** Two runs, and the judge still asks for more: a draft that says what is missing. */
export const needsWork: Scenario = {
  title,
  body,
  recorded: [
    {
      caller: "implementer/builtin/run1/turn1",
      replies: [
        look,
        writeFunction(good),
        runTests,
        done({ summary: "Hours are said.", files: [["src/duration.js", "say hours"]] }),
      ],
    },
    { caller: "judge/code/run1/turn0", replies: [noTests] },
    {
      caller: "implementer/builtin/run2/turn1",
      replies: [
        addHourTest,
        runTests,
        done({ summary: "A whole hour is tested.", files: [["test/duration.test.js", "cover an hour"]] }),
      ],
    },
    { caller: "judge/code/run2/turn0", replies: [stillMissing] },
  ],
};
