import { writePath, type ConfigProblem, type Path, type Place } from "./config-problem.ts";
import { placeOf } from "./explain-issue.ts";
import { nearestName } from "./nearest-name.ts";
import type { Rules } from "./rules.ts";

/** What the operator lets repositories ask for. `default` is always there. */
export interface Offer {
  readonly engines: readonly string[];
  readonly models: readonly string[];
  /** Whether `judge.auto_for: everyone` is allowed: pull requests by strangers then spend the operator's money. */
  readonly autoForEveryone: boolean;
}

/** Problems where a repository asks for what the operator does not offer; empty: the rules may be run on. */
export function narrowRules(rules: Rules, offer: Offer, sources: ReadonlyMap<string, Place>): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report = (path: Path, reason: string, nearest: string | null = null): void => {
    problems.push({ ...placeOf(sources, path), path: writePath(path), reason, nearest });
  };
  const check = (kind: "engine" | "model", path: Path, name: string): void => {
    const offered = ["default", ...(kind === "engine" ? offer.engines : offer.models)];
    if (offered.includes(name)) return;
    const reason = `is not a${kind === "engine" ? "n" : ""} ${kind} that the operator offers: ${name}; offered are ${offered.join(", ")}`;
    report([...path, kind], reason, nearestName(name, offered));
  };
  for (const kind of ["engine", "model"] as const) {
    check(kind, ["implement"], rules.implement[kind]);
    for (const [index, judge] of rules.judges.entries()) check(kind, ["judges", index], judge[kind]);
  }
  if (rules.judge.autoFor === "everyone" && !offer.autoForEveryone) {
    report(["judge", "auto_for"], "must be members: the operator does not allow everyone");
  }
  return problems;
}
