import { done, look } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** The agent can't go on without a decision, and says so in its artifact. */
export const question: Scenario = {
  title: "formatDuration should say days",
  body: "Long durations should be said in days.",
  recorded: [
    {
      caller: "implementer/builtin/run1/turn1",
      replies: [
        look,
        done({
          summary: "The brief can be read in two ways, and each breaks callers of the other.",
          files: [],
          question: {
            question: "From which duration on are days said?",
            readings: ["From 24 hours on: 90000 is `1d 1h`.", "Only for whole days: 86400 is `1d`, 90000 stays `25h`."],
          },
        }),
      ],
    },
  ],
};
