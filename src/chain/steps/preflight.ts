import type { Preflighted, Problem } from "../../domain/event.ts";
import { readBranch, readRepository } from "../../github/repository.ts";
import { readPullRequest } from "../../github/pull-request.ts";
import { openCheckRun } from "../check-run.ts";
import type { StepContext } from "../step-context.ts";

/** What the App needs on a repository. Nothing else is asked for. */
const permissionsNeeded = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
} as const;

/** Looks at everything that could stop the chain later, before anything is written. All problems are told at once. */
export async function preflight(context: StepContext): Promise<Preflighted> {
  const { github, pinned, trigger } = context;
  const pullRequest = trigger.item.kind === "pull-request" ? await readPullRequest(github, trigger.item.number) : null;
  const [repository, granted, engineProblems] = await Promise.all([
    readRepository(github),
    github.permissions(),
    checkEngine(context),
  ]);
  const baseBranch = pullRequest?.baseRef ?? pinned.rules.publish.base ?? repository.defaultBranch;
  const base = await readBranch(github, baseBranch);
  const problems: Problem[] = [...pinned.configProblems, ...engineProblems, ...missingPermissions(granted)];
  if (repository.archived) {
    problems.push({
      code: "repository-archived",
      message: "The repository is archived: nothing can be pushed to it.",
      cure: "Unarchive it in the repository's settings and ask again.",
    });
  }
  if (base === null) {
    problems.push({
      code: "base-missing",
      message: `The base branch \`${baseBranch}\` does not exist, or the repository is empty.`,
      cure: "Push a first commit, or set `publish.base` in .github/gavel.yml to a branch that exists.",
    });
  }
  if (pullRequest !== null && pullRequest.state === "closed") {
    problems.push({
      code: "pull-request-closed",
      message: "The pull request is closed.",
      cure: "Reopen it and ask again.",
    });
  }
  const today = await context.deps.records.chainsOfDay(trigger.repository.id);
  const { chainsPerDay } = pinned.rules.budget;
  if (today > chainsPerDay) {
    problems.push({
      code: "chains-of-day-spent",
      message: `This repository had ${today - 1} chains within 24 hours; its budget is ${chainsPerDay}.`,
      cure: "Wait, or raise `budget.chains_per_day` in .github/gavel.yml.",
    });
  }
  const headCommit = pullRequest === null ? null : pullRequest.headSha;
  if (headCommit !== null) await openCheckRun(context, headCommit);
  return {
    kind: "preflighted",
    problems,
    baseBranch,
    baseCommit: base?.commit ?? "",
    headCommit,
    rules: pinned.rulesVersion,
  };
}

async function checkEngine(context: StepContext): Promise<readonly Problem[]> {
  if (context.trigger.kind === "judge") return [];
  const { engine: name } = context.pinned.circumstances;
  const engine = context.deps.findEngine(name);
  if (engine !== null) return await engine.check();
  return [
    {
      code: "engine-unknown",
      message: `There is no engine "${name}".`,
      cure: `Set \`implement.engine\` to one of: ${context.deps.engineNames.join(", ")}.`,
    },
  ];
}

function missingPermissions(granted: Readonly<Record<string, string>>): readonly Problem[] {
  return Object.entries(permissionsNeeded)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== "write")
    .map(([name, level]) => ({
      code: "permission-missing",
      message: `The App lacks the permission "${name}: ${level}" on this repository.`,
      cure: "Grant it in the App's settings; an owner then accepts it on the installation's page.",
    }));
}
