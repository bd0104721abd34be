import { revise } from "./revise.ts";
import type { Scenario } from "./scenario.ts";

/** Long enough that the first run is surely under way when the process is killed, in milliseconds. */
const delayMilliseconds = 700;

/** The same story as `revise`; the server is killed twice while it happens. */
export const crash: Scenario = {
  ...revise,
  recorded: revise.recorded.map((item) =>
    item.caller === "implementer/builtin/run1/turn1"
      ? { ...item, replies: item.replies.map((reply) => ({ ...reply, delayMilliseconds })) }
      : item,
  ),
};
