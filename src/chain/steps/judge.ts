import { randomBytes } from "node:crypto";
import type { Judged, TurnFinished } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import { addUsage, noUsage } from "../../domain/usage.ts";
import type { ModelAccess } from "../../gateway/access.ts";
import { loadRubrics } from "../../judges/load-rubrics.ts";
import { buildPacket } from "../../judges/packet.ts";
import { judgeChange } from "../../judges/panel.ts";
import { ensureTree } from "../patches.ts";
import { preflightOf, preparedOf, type StepContext } from "../step-context.ts";

/** A judge's packet, in tokens: what every offered model takes, with room for its answer. */
const packetTokensMax = 120_000;

/** Asks the panel about the tree at hand: fresh context, nothing but the packet, no way to write. */
export async function judge(context: StepContext, step: Extract<Step, { kind: "judge" }>): Promise<Judged> {
  const began = performance.now();
  const { deps, chain, pinned, trigger, view, signal } = context;
  const { rules } = pinned;
  const prepared = preparedOf(context);
  const turn = context.events.findLast((event): event is TurnFinished => event.kind === "turn-finished");
  const tree = step.run === 0 ? prepared.headTree : (turn?.tree ?? prepared.headTree);
  await ensureTree(context, tree);
  const git = await context.git();
  const diff = await git.diff(prepared.baseTree, tree);
  const verification = view.verification?.verification ?? null;
  const earlier = view.rounds.at(-1)?.round ?? null;
  const accesses: ModelAccess[] = [];
  const round = await judgeChange({
    rules: rules.judges,
    packetFor: (rule) =>
      buildPacket({
        label: randomBytes(6).toString("hex"),
        rubrics: loadRubrics(rule.rubrics),
        instructions: rule.instructions,
        brief: trigger.brief,
        diff,
        verification,
        artifact: turn?.artifact ?? null,
        earlierFindings: earlier?.judges.flatMap((result) => result.findings) ?? [],
        ignore: rules.judge.ignore,
        tokensMax: packetTokensMax,
      }),
    grant: async (rule) => {
      const model = rule.model === "default" ? deps.models.judge : rule.model;
      const access = await deps.gateway.grant(
        { chain, role: "judge", run: step.run, turn: 0, name: rule.name },
        model,
        {
          usdMax: rules.budget.usdPerChain,
          tokensMax: rules.budget.tokensPerChain,
        },
      );
      accesses.push(access);
      return access;
    },
    changedPaths: diff.files.map((file) => file.path),
    signal,
    verification,
    requiredGates: rules.gates.required,
    number: view.rounds.length + (step.run === 0 ? 0 : 1),
    binding: { mergeBase: prepared.mergeBase, headTree: tree, rules: preflightOf(context).rules },
  });
  const spent = accesses.map((access) => access.budgetSpent()).find((reason) => reason !== null);
  if (spent !== undefined && spent !== null) {
    await context.record(`budget:${context.sequence}`, { kind: "budget-spent", reason: spent });
  }
  return {
    kind: "judged",
    run: step.run,
    round,
    usage: accesses.map((access) => access.usage()).reduce(addUsage, noUsage),
    seconds: (performance.now() - began) / 1000,
  };
}
