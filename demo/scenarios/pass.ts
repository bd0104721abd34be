import { addHourTests, body, doneWithTests, good, look, passes, runTests, title, writeFunction } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** The first run is right: one run, a ready pull request. */
export const pass: Scenario = {
  title,
  body,
  recorded: [
    {
      caller: "implementer/builtin/run1/turn1",
      replies: [look, writeFunction(good), addHourTests, runTests, doneWithTests],
    },
    { caller: "judge/code/run1/turn0", replies: [passes] },
  ],
};
