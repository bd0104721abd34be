import {
  addHourTests,
  body,
  done,
  doneWithTests,
  good,
  look,
  noTests,
  passes,
  runTests,
  title,
  writeFunction,
} from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** The judge asks for tests; the one revision writes them. */
export const revise: Scenario = {
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
    { caller: "implementer/builtin/run2/turn1", replies: [addHourTests, runTests, doneWithTests] },
    { caller: "judge/code/run2/turn0", replies: [passes] },
  ],
};
