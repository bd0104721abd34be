import { branchName } from "../domain/branch-name.ts";
import { writePath, type ConfigProblem, type Path, type Place } from "./config-problem.ts";
import { placeOf } from "./explain-issue.ts";
import { globProblem } from "./glob.ts";
import { nearestName } from "./nearest-name.ts";
import type { Rules } from "./rules.ts";

/** Labels that Gavel sets or reads by a fixed meaning. */
const ownLabels = ["gavel:judge", "gavel:stop", "gavel:needs-human"];

/** Name of the gate that is always there. */
const policyGate = "policy";

/** Finds what each value alone does not show: names that don't exist, doubles, contradictions, unusable globs. */
export function checkRules(rules: Rules, places: ReadonlyMap<string, Place>): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report = (path: Path, reason: string, nearest: string | null = null): void => {
    problems.push({ ...placeOf(places, path), path: writePath(path), reason, nearest });
  };
  checkTrigger(rules, report);
  checkGates(rules, report);
  checkJudges(rules, report);
  checkPublish(rules, report);
  checkGlobs(rules, report);
  const { timeoutMinutes } = rules.implement;
  const { minutesPerChain } = rules.budget;
  if (places.has("implement.timeout_minutes") && timeoutMinutes > minutesPerChain) {
    report(["implement", "timeout_minutes"], `is longer than budget.minutes_per_chain (${minutesPerChain}) allows`);
  }
  return problems;
}

type Report = (path: Path, reason: string, nearest?: string | null) => void;

function checkTrigger({ trigger, publish }: Rules, report: Report): void {
  if (ownLabels.includes(trigger.label.trim().toLowerCase())) {
    report(["trigger", "label"], `must not be ${trigger.label}: that label has a meaning of its own`);
  }
  for (const [index, label] of publish.labels.entries()) {
    if (ownLabels.includes(label.trim().toLowerCase())) {
      report(["publish", "labels", index], `must not be ${label}: that label has a meaning of its own`);
    }
  }
}

function checkGates({ gates }: Rules, report: Report): void {
  const names = gates.run.map((gate) => gate.name);
  reportDoubles(names, (index, first) =>
    report(["gates", "run", index, "name"], `is the name of gates.run.${first} already: ${names[first]}`),
  );
  for (const [index, gate] of gates.run.entries()) {
    const path = ["gates", "run", index];
    if (gate.name.toLowerCase() === policyGate) {
      report([...path, "name"], "must not be policy: that is the built-in gate");
    }
    const folder = gate.workingDirectory;
    if (folder.startsWith("/") || folder.includes("\\") || folder.split("/").includes("..")) {
      report([...path, "working_directory"], "must be a folder below the repository's root, written with /");
    }
    for (const [name, value] of Object.entries(gate.env)) {
      if (value.includes("${{")) report([...path, "env", name], "must be a literal value: ${{ … }} is not expanded");
    }
  }
  for (const [index, name] of gates.required.entries()) {
    if (gates.detect || name === policyGate || names.includes(name)) continue;
    report(
      ["gates", "required", index],
      `names a gate that is not in gates.run, and gates.detect is off: ${name}`,
      nearestName(name, names),
    );
  }
}

function checkJudges({ judges }: Rules, report: Report): void {
  const names = judges.map((judge) => judge.name);
  reportDoubles(names, (index, first) =>
    report(["judges", index, "name"], `is the name of judges.${first} already: ${names[first]}`),
  );
  if (judges.length > 0 && !judges.some((judge) => judge.required)) {
    report(["judges"], "holds no judge with required: true, so nothing could ever pass");
  }
}

function checkPublish({ publish, paths }: Rules, report: Report): void {
  const template = publish.branch;
  const unknown = [...template.matchAll(/\{[^{}]*\}?/g)].map(([found]) => found);
  const wrong = unknown.find((found) => found !== "{number}" && found !== "{slug}");
  const filled = template.replaceAll("{number}", "1").replaceAll("{slug}", "word");
  if (!template.includes("{number}")) {
    report(["publish", "branch"], "must hold {number}: without it, branches of different issues have one name");
  } else if (wrong !== undefined) {
    const nearest = nearestName(wrong, ["{number}", "{slug}"]);
    report(["publish", "branch"], `holds ${wrong}; only {number} and {slug} are filled in`, nearest);
  } else if (branchName(template, { number: 1, slug: "word" }) !== filled) {
    report(["publish", "branch"], `gives names that can not be used, such as ${filled}`);
  }
  if (publish.base !== null && !isBranch(publish.base)) report(["publish", "base"], "is not the name of a branch");
  for (const [index, glob] of paths.allow.entries()) {
    if (paths.deny.includes(glob)) report(["paths", "allow", index], `is denied by paths.deny: ${glob}`);
  }
}

function checkGlobs({ gates, judges, judge, paths }: Rules, report: Report): void {
  const lists: readonly (readonly [Path, readonly string[]])[] = [
    ...gates.run.map((gate, index) => [["gates", "run", index, "when"], gate.when] as const),
    ...judges.map((judge, index) => [["judges", index, "when"], judge.when] as const),
    [["judge", "ignore"], judge.ignore],
    [["paths", "deny"], paths.deny],
    [["paths", "allow"], paths.allow],
  ];
  for (const [path, globs] of lists) {
    for (const [index, glob] of globs.entries()) {
      const problem = globProblem(glob);
      if (problem !== null) report([...path, index], problem);
    }
  }
}

/** Calls back for every name that stood before in the list, in any case. */
function reportDoubles(names: readonly string[], report: (index: number, first: number) => void): void {
  const folded = names.map((name) => name.toLowerCase());
  for (const [index, name] of folded.entries()) {
    const first = folded.indexOf(name);
    if (first !== index) report(index, first);
  }
}

/** As `git check-ref-format --branch` has it. */
function isBranch(name: string): boolean {
  return (
    // oxlint-disable-next-line no-control-regex -- git refuses them
    !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\/\.|\.lock(\/|$)|^@$/.test(name) && !/^HEAD$/.test(name)
  );
}
