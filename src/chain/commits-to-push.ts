import type { TurnFinished, Verified } from "../domain/event.ts";
import { commitMessage } from "../domain/publication.ts";
import type { publishableTree } from "../domain/publishable-tree.ts";
import type { CommitToPush } from "../github/push.ts";
import { ensureTree } from "./patches.ts";
import { preparedOf, type StepContext } from "./step-context.ts";

type Source = NonNullable<ReturnType<typeof publishableTree>>;

/**
 * One commit a run. A first run whose tree broke the policy gets no commit of its own: what the policy gate refused
 * must not stand in the history either; its work is part of the second run's commit.
 */
export async function commitsToPush(context: StepContext, source: Source): Promise<readonly CommitToPush[]> {
  const { baseTree } = preparedOf(context);
  const trees = treesByRun(context, source, baseTree);
  const git = await context.git();
  const commits: CommitToPush[] = [];
  let parentTree = baseTree;
  for (const { run, tree } of trees) {
    await ensureTree(context, tree);
    commits.push({
      message: commitMessage({
        title: context.trigger.brief.title,
        number: context.trigger.item.number,
        chain: context.chain,
        run,
        person: context.trigger.person,
        signOff: context.pinned.rules.publish.signOff,
      }),
      parentTree,
      tree,
      entries: await git.changedEntries(parentTree, tree),
    });
    parentTree = tree;
  }
  return commits;
}

function treesByRun(context: StepContext, source: Source, baseTree: string) {
  const clean = new Set(
    context.events
      .filter((event): event is Verified => event.kind === "verified" && event.verification.breaches.length === 0)
      .map((event) => event.verification.tree),
  );
  const first = context.events.findLast(
    (event): event is TurnFinished => event.kind === "turn-finished" && event.run === 1,
  );
  const last = { run: source.run, tree: source.tree };
  const ownCommit =
    source.run === 2 &&
    first !== undefined &&
    first.tree !== baseTree &&
    first.tree !== source.tree &&
    clean.has(first.tree);
  return ownCommit ? [{ run: 1 as const, tree: first.tree }, last] : [last];
}
