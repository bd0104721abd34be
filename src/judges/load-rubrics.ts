import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GavelError } from "../errors.ts";
import { promptFolder } from "../prompts/load-prompt.ts";
import { packetVersion, type Rubric } from "./packet.ts";

/** Beside this module, and beside the bundle that this module may be part of. */
const rubricFolder = join(dirname(fileURLToPath(import.meta.url)), "rubrics");

/** Names of the rubrics there are, sorted. */
export function rubricNames(): readonly string[] {
  return readdirSync(rubricFolder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length))
    .toSorted();
}

/** Rubrics by name, in the order asked for. Throws a GavelError for a name that there is none for. */
export function loadRubrics(names: readonly string[]): readonly Rubric[] {
  return names.map((name) => {
    const path = join(rubricFolder, `${name}.md`);
    if (!/^[a-z][a-z-]{0,40}$/.test(name) || !existsSync(path)) {
      throw new GavelError(
        "rubric-unknown",
        `There is no rubric named "${name}".`,
        `Use one of ${rubricNames().join(", ")} in the judge's \`rubrics\`.`,
      );
    }
    return { name, text: readFileSync(path, "utf8") };
  });
}

/** Hash of all that tells a judge how to judge: rubrics, its prompts, the packet's version. Verdicts are bound to it. */
export function rubricsVersion(): string {
  const hash = createHash("sha256").update(packetVersion);
  for (const rubric of loadRubrics(rubricNames())) hash.update(`\0${rubric.name}\0${rubric.text}`);
  for (const file of readdirSync(promptFolder)
    .filter((name) => /^judge.*\.md$/.test(name))
    .toSorted()) {
    hash.update(`\0${file}\0${readFileSync(join(promptFolder, file), "utf8")}`);
  }
  return hash.digest("hex").slice(0, 16);
}
