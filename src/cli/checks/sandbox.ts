import { probeSandbox } from "../../process/probe-sandbox.ts";
import { bad, type Check, good } from "./finding.ts";

export const checkSandbox: Check = async (env) => {
  const probe = await probeSandbox();
  if (probe.kind === "ready") return [good("sandbox", `a box was made with ${probe.host.bubblewrap}`)];
  if (env["GAVEL_ISOLATION"] === "none")
    return [good("sandbox", "none, as GAVEL_ISOLATION says; every report will say so")];
  return [bad("sandbox", probe.problem)];
};
