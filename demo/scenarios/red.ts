import { body, done, forgetsZero, look, replaceFunction, runTests, title, writeFunction } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

const finished = done({ summary: "Hours are said.", files: [["src/duration.js", "say hours"]] });

/** Each mend leaves the same test red. */
const variants = [
  forgetsZero,
  forgetsZero.replace('.join(" ")', '.join(" ").trim()'),
  forgetsZero.replace(".filter(Boolean)", ".filter((part) => part !== false)"),
  forgetsZero.replace("const rest", "const left").replaceAll("rest", "left"),
];

const mend = (index: number) => replaceFunction(variants[index - 1] ?? "", variants[index] ?? "");

/** A test stays red over both runs and their fix turns: a draft, and no judge is asked. */
export const red: Scenario = {
  title,
  body,
  recorded: [
    { caller: "implementer/builtin/run1/turn1", replies: [look, writeFunction(forgetsZero), runTests, finished] },
    { caller: "implementer/builtin/run1/turn2", replies: [mend(1), finished] },
    { caller: "implementer/builtin/run2/turn1", replies: [mend(2), finished] },
    { caller: "implementer/builtin/run2/turn2", replies: [mend(3), finished] },
  ],
};
