import { readdirSync } from "node:fs";
import { loadRubrics, rubricNames, rubricsVersion } from "../../judges/load-rubrics.ts";
import { loadPrompt, promptFolder } from "../../prompts/load-prompt.ts";
import { readMigrations } from "../../store/migrate.ts";
import { readManifest } from "../setup/manifest.ts";
import { badError, type Check, good } from "./finding.ts";

/** The texts that lie beside the program: an installation that lost some would only fail in the middle of a chain. */
export const checkFiles: Check = async () => {
  try {
    const prompts = readdirSync(promptFolder).filter((name) => name.endsWith(".md"));
    for (const name of prompts) loadPrompt(name.slice(0, -".md".length), {});
    const rubrics = loadRubrics(rubricNames());
    const migrations = readMigrations();
    readManifest();
    for (const [what, count] of Object.entries({ prompts, rubrics, migrations }).map(
      ([what, list]) => [what, list.length] as const,
    )) {
      if (count === 0) throw new Error(`There are no ${what}.`);
    }
    const counts = `${prompts.length} prompts, ${rubrics.length} rubrics (${rubricsVersion()}), ${migrations.length} migrations`;
    return [good("files", counts)];
  } catch (error) {
    return [badError("files", error, "Install Gavel again: files that belong to it are missing.")];
  }
};
