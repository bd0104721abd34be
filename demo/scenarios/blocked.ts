import { addHourTests, body, doneWithTests, good, judgeSays, look, runTests, title, writeFunction } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const asks = judgeSays({
  verdict: "BLOCKED",
  summary:
    "Only the maintainers can say what a day is: 90,000 seconds are now `25h`, and other parts of the product may expect `1d 1h`.",
  evidence: "The brief speaks of hours alone; the change decides for days as well.",
  findings: [
    {
      id: "F1",
      severity: "blocker",
      path: "src/duration.js",
      line: 3,
      summary: "Days are decided by the way: 25h, or 1d 1h?",
      detail:
        "Readings: hours go on without end; days are said from 24 hours on; durations over a day are refused; none of these.",
      suggestion: null,
    },
  ],
});

/** The judge stops the chain: a person has to decide. It never spends the revision. */
export const blocked: Scenario = {
  title,
  body,
  recorded: [
    {
      caller: "implementer/builtin/run1/turn1",
      replies: [look, writeFunction(good), addHourTests, runTests, doneWithTests],
    },
    { caller: "judge/code/run1/turn0", replies: [asks] },
  ],
};
