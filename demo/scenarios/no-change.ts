import { done, look } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** The agent says that it is done and has changed nothing: what counts is the tree. */
export const noChange: Scenario = {
  title: "formatDuration should say seconds",
  body: "`formatDuration(42)` should give `42s`.",
  recorded: [
    {
      caller: "implementer/builtin/run1/turn1",
      replies: [look, done({ summary: "Seconds are said already; nothing was to be done.", files: [] })],
    },
  ],
};
