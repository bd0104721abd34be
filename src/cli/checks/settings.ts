import { readSettings } from "../../env.ts";
import { bad, type Check, good } from "./finding.ts";

export const checkSettings: Check = async (env) => {
  const read = readSettings(env);
  if (read.kind === "invalid") return read.problems.map((problem) => bad("settings", problem));
  const { github, models, dataFolder } = read.settings;
  return [
    good(
      "settings",
      `App ${github.appId} on ${github.webUrl}, models ${models.implementer} and ${models.judge}, data in ${dataFolder}`,
    ),
  ];
};
