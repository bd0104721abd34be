import { asProblems } from "../config/config-problems.ts";
import { narrowRules, type Offer } from "../config/narrow-rules.ts";
import { defaultRules } from "../config/normalize.ts";
import { parseConfig } from "../config/parse-config.ts";
import type { ConfigReading } from "../config/read-rules.ts";
import { rulesVersion } from "../config/rules-version.ts";
import type { GitHub, GitHubApp } from "../github/github.ts";
import { configPath, readConfigFiles } from "../github/repo-config.ts";

/**
 * A repository's rules as they stand on its default branch now. With anything wrong in the file the defaults hold for
 * intake (the label has to be known), and the chain's preflight tells all problems.
 */
export async function readRepositoryRules(
  app: GitHubApp,
  github: GitHub,
  offer: Offer,
  rubrics: string,
): Promise<ConfigReading> {
  const { repository } = github;
  const [owners, own] = await Promise.all([app.readOwnerFile(repository, configPath), readConfigFiles(github)]);
  const ownersFile = { name: `${repository.owner}/.github/${configPath}`, text: owners ?? "" };
  // The owner's first: the repository's own goes over it.
  const parsed = parseConfig(owners === null ? own : [ownersFile, ...own]);
  if (parsed.kind === "invalid") {
    const rules = { ...defaultRules, trigger: parsed.trigger };
    return { rules, version: versionOf(rulesVersion(rules), rubrics), problems: asProblems(parsed.problems) };
  }
  const problems = narrowRules(parsed.rules, offer, parsed.sources);
  return {
    rules: parsed.rules,
    version: versionOf(rulesVersion(parsed.rules), rubrics),
    problems: asProblems(problems),
  };
}

/** A verdict is bound to the rules and to the rubrics it was made by. */
const versionOf = (rules: string, rubrics: string): string => `${rules}-${rubrics}`;
