import type { TurnFinished } from "../domain/event.ts";
import { preparedOf, preflightOf, type StepContext } from "./step-context.ts";

/** Name under which a turn's patch stands in the record. */
export const patchName = (run: number, turn: number): string => `patch-${run}-${turn}`;

/**
 * Makes sure that a tree of this chain is at hand: on the machine that made it, it is; on any other it is made again
 * from the base and the patch in the record.
 */
export async function ensureTree(context: StepContext, tree: string): Promise<void> {
  const git = await context.git();
  if (await git.has(tree)) return;
  const { baseTree } = preparedOf(context);
  if (!(await git.has(baseTree))) {
    const { baseBranch } = preflightOf(context);
    const { gitUrl, gitToken } = context.github;
    await git.fetch({ url: gitUrl, token: gitToken }, [`refs/heads/${baseBranch}`], context.signal);
  }
  const maker = context.events.find(
    (event): event is TurnFinished => event.kind === "turn-finished" && event.tree === tree,
  );
  if (maker === undefined) return;
  const patch = await context.deps.records.getBlob(context.chain, patchName(maker.run, maker.turn));
  if (patch === null) throw new Error(`the patch of run ${maker.run}, turn ${maker.turn} is not in the record`);
  await git.importPatch(baseTree, patch, tree);
}
