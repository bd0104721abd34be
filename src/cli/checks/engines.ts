import { engineNames, findEngine } from "../../engines/table.ts";
import { bad, type Check, good } from "./finding.ts";

export const checkEngines: Check = async () => {
  const findings = engineNames.map(async (name) => {
    const problems = (await findEngine(name)?.check()) ?? [];
    return problems.length === 0 ? [good("engine", name)] : problems.map((problem) => bad("engine", problem));
  });
  return (await Promise.all(findings)).flat();
};
