import type { Prepared } from "../../domain/event.ts";
import { GavelError } from "../../errors.ts";
import { prepareSetup } from "../../workspace/setup.ts";
import { preflightOf, type StepContext } from "../step-context.ts";

/** Longest time for all commands of `setup` together, in seconds. */
export const setupSecondsMax = 900;

/** Brings the commits in and runs `setup` once at the base, in the sandbox. */
export async function prepare(context: StepContext): Promise<Prepared> {
  const { github, trigger, signal } = context;
  const { baseBranch, baseCommit, headCommit } = preflightOf(context);
  const git = await context.git();
  const names = headCommit === null ? [] : [`refs/pull/${trigger.item.number}/head`];
  if (!(await git.has(baseCommit)) || (headCommit !== null && !(await git.has(headCommit)))) {
    await git.fetch({ url: github.gitUrl, token: github.gitToken }, [`refs/heads/${baseBranch}`, ...names], signal);
  }
  const mergeBase = headCommit === null ? baseCommit : await git.mergeBase(baseCommit, headCommit);
  if (mergeBase === null) {
    throw new GavelError(
      "no-merge-base",
      "The head has no commit in common with its base.",
      "Rebase the branch onto its base.",
    );
  }
  const baseTree = await git.treeOf(mergeBase);
  const setup = await readSetup(context, baseTree);
  if (setup.failure !== null) {
    throw new GavelError(
      "setup-failed",
      `A setup command failed: ${setup.failure}`,
      "Mend `setup` in .github/gavel.yml.",
    );
  }
  return {
    kind: "prepared",
    baseTree,
    mergeBase,
    headTree: headCommit === null ? baseTree : await git.treeOf(headCommit),
    setupSeconds: setup.seconds,
  };
}

/** What `setup` left at the base: made once, kept by content, made again where it is missing. Forks get none. */
export async function readSetup(context: StepContext, baseTree: string) {
  const { deps, pinned, signal } = context;
  return await prepareSetup(await context.git(), {
    dataFolder: deps.dataFolder,
    baseTree,
    commands: pinned.rules.setup,
    sandbox: deps.sandbox,
    signal,
    timeoutSeconds: setupSecondsMax,
  });
}
