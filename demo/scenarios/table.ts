import { blocked } from "./blocked.ts";
import { crash } from "./crash.ts";
import { needsWork } from "./needs-work.ts";
import { noChange } from "./no-change.ts";
import { pass } from "./pass.ts";
import { question } from "./question.ts";
import { red } from "./red.ts";
import { revise } from "./revise.ts";
import type { Scenario } from "./scenario.ts";

/** The scenarios of the demo, by the name that the command line takes. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  pass,
  revise,
  "needs-work": needsWork,
  red,
  blocked,
  "no-change": noChange,
  question,
  crash,
};
