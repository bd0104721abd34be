import type { TurnFinished, Verified } from "../../domain/event.ts";
import type { GateResult, Verification } from "../../domain/gate-result.ts";
import type { Step } from "../../domain/step.ts";
import { checkPolicy } from "../../gates/policy-gate.ts";
import { runGates } from "../../gates/run-gates.ts";
import { readPullRequest } from "../../github/pull-request.ts";
import { layIn } from "../../workspace/setup.ts";
import type { GitRepository } from "../../workspace/workspace.ts";
import { ensureTree } from "../patches.ts";
import { preparedOf, type StepContext } from "../step-context.ts";
import { readSetup } from "./prepare.ts";

/** Establishes what is true about one tree: the policy gate, then every gate on fresh checkouts of it. */
export async function verify(context: StepContext, step: Extract<Step, { kind: "verify" }>): Promise<Verified> {
  const began = performance.now();
  const prepared = preparedOf(context);
  const turn = context.events.findLast((event): event is TurnFinished => event.kind === "turn-finished");
  const tree = step.run === 0 ? prepared.headTree : (turn?.tree ?? prepared.baseTree);
  const git = await context.git();
  await ensureTree(context, tree);
  const diff = await git.diff(prepared.baseTree, tree);
  const breaches = [
    ...(step.run === 0 ? [] : (turn?.leftOut ?? [])),
    ...(await checkPolicy({
      files: diff.files,
      readBlob: (blob) => git.readBlob(blob),
      paths: context.pinned.rules.paths,
    })),
  ];
  const gates = (await mayRunGates(context, step.run)) ? await readGates(context, git, prepared.baseTree, tree) : [];
  const verification: Verification = { tree, breaches, gates };
  return { kind: "verified", run: step.run, verification, seconds: (performance.now() - began) / 1000 };
}

async function readGates(
  context: StepContext,
  git: GitRepository,
  baseTree: string,
  tree: string,
): Promise<readonly GateResult[]> {
  const { pinned, deps, signal } = context;
  const setup = await readSetup(context, baseTree);
  const diff = await git.diff(baseTree, tree);
  return await runGates(pinned.rules.gates.run, {
    openTree: async () => {
      const opened = await git.openTree(tree);
      if (setup.folder !== null) await layIn(setup.folder, opened.path);
      return opened;
    },
    readBaseFile: (path) => git.readFile(baseTree, path),
    changedPaths: diff.files.flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath])),
    sandbox: deps.sandbox,
    signal,
  });
}

/** Whose code may be run at all (security.md rule 7): a chain's own always; a pull request's by `judge.gates`, a fork's never. */
async function mayRunGates(context: StepContext, run: 0 | 1 | 2): Promise<boolean> {
  if (run !== 0) return true;
  const rule = context.pinned.rules.judge.gates;
  if (rule === "never") return false;
  const pullRequest = await readPullRequest(context.github, context.trigger.item.number);
  return !pullRequest.fromFork && (rule === "always" || pullRequest.authorIsMember);
}
