import { probeSandbox } from "../../process/probe-sandbox.ts";
import { readSettings } from "../../env.ts";
import { bad, type Check, good } from "./finding.ts";

export const checkSandbox: Check = async (env) => {
  const probe = await probeSandbox();
  if (probe.kind === "ready") return [good("sandbox", `a box was made with ${probe.host.bubblewrap}`)];
  if (wantsNone(env)) return [good("sandbox", "none, as the settings say; every report will say so")];
  return [bad("sandbox", probe.problem)];
};

/** Settings that are wrong elsewhere still say what they want here. */
function wantsNone(env: Parameters<Check>[0]): boolean {
  const read = readSettings(env);
  return read.kind === "ok" ? read.settings.isolation === "none" : env["GAVEL_ISOLATION"] === "none";
}
