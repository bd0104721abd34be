import type { TurnFinished } from "../../domain/event.ts";
import { interruptedTurnsMax } from "../../domain/policy.ts";
import { readArtifact } from "../../domain/read-artifact.ts";
import type { Step } from "../../domain/step.ts";
import { noUsage } from "../../domain/usage.ts";
import type { Engine, TurnResult } from "../../engines/engine.ts";
import { layIn } from "../../workspace/setup.ts";
import { ensureTree, patchName } from "../patches.ts";
import { preparedOf, type StepContext } from "../step-context.ts";
import { turnPrompt, systemPrompt } from "../turn-prompt.ts";
import { readSetup } from "./prepare.ts";

/** Model calls of one turn: far more than good work needs, and an end for a loop. */
const modelCallsMax = 200;

/** Where a turn stands in its chain. */
interface Place {
  readonly run: 1 | 2;
  readonly turn: number;
  readonly runStartTree: string;
  readonly startTree: string;
}

/** One prompt and its reply. What counts is the tree that is left, whatever the engine says and however it ended. */
export async function turn(context: StepContext, step: Extract<Step, { kind: "turn" }>): Promise<TurnFinished | null> {
  const { deps, chain, signal, pinned } = context;
  const began = performance.now();
  const place = placeOf(context, step.run);
  const interrupted = await countBeginning(context, place);
  const { baseTree } = preparedOf(context);
  const base = { kind: "turn-finished", ...place, purpose: step.purpose, interrupted } as const;
  if (interrupted > interruptedTurnsMax) {
    const reason = `the turn was cut off ${interrupted} times by the end of our own process`;
    return {
      ...base,
      end: "crashed",
      reason,
      tree: place.startTree,
      netChange: place.startTree !== baseTree,
      artifact: { kind: "missing" },
      usage: noUsage,
      seconds: 0,
    };
  }
  const engine = deps.findEngine(pinned.circumstances.engine);
  if (engine === null) throw new Error(`there is no engine "${pinned.circumstances.engine}"`);
  await backOff(context, step.run);

  await ensureTree(context, place.startTree);
  const git = await context.git();
  const tree = await git.openTree(place.startTree);
  const { rules } = pinned;
  const access = await deps.gateway.grant(
    { chain, role: "implementer", run: place.run, turn: place.turn, name: engine.name },
    pinned.circumstances.implementerModel,
    { usdMax: rules.budget.usdPerChain, tokensMax: rules.budget.tokensPerChain },
  );
  try {
    const setup = await readSetup(context, baseTree);
    if (setup.folder !== null) await layIn(setup.folder, tree.path);
    const result = await runEngine(context, engine, { step, place, access, workspace: tree.path });
    if (signal.aborted) return null;
    const candidate = await git.readCandidate(tree, baseTree);
    await deps.records.putBlob(
      chain,
      patchName(place.run, place.turn),
      await git.exportPatch(baseTree, candidate.tree),
    );
    if (result.session !== null) {
      await deps.records.putBlob(chain, sessionName(place.run, place.turn), Buffer.from(result.session));
    }
    const spent = access.budgetSpent();
    if (spent !== null) await context.record(`budget:${context.sequence}`, { kind: "budget-spent", reason: spent });
    return {
      ...base,
      end: result.end,
      reason: result.reason,
      tree: candidate.tree,
      netChange: candidate.tree !== baseTree,
      leftOut: candidate.breaches,
      artifact: readArtifact(result.reply),
      usage: access.usage(),
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    access.revoke();
    await tree.release();
  }
}

const sessionName = (run: number, number: number): string => `session-${run}-${number}`;

function placeOf(context: StepContext, run: 1 | 2): Place {
  const turns = context.events.filter((event): event is TurnFinished => event.kind === "turn-finished");
  const startTree = turns.at(-1)?.tree ?? preparedOf(context).baseTree;
  const ofRun = turns.filter((event) => event.run === run);
  return { run, turn: ofRun.length + 1, startTree, runStartTree: ofRun[0]?.runStartTree ?? startTree };
}

/** Counts how often this very turn was begun before, so that a turn that kills us is not begun for ever. */
async function countBeginning(context: StepContext, place: Place): Promise<number> {
  const { records } = context.deps;
  const name = `begun-${place.run}-${place.turn}`;
  const before = Number(Buffer.from((await records.getBlob(context.chain, name)) ?? []).toString() || "0");
  await records.putBlob(context.chain, name, Buffer.from(String(before + 1)));
  return before;
}

/** A run whose engine could not start waits before it is tried again: longer each time. */
async function backOff(context: StepContext, run: 1 | 2): Promise<void> {
  const failed = context.events.filter(
    (event) => event.kind === "turn-finished" && event.run === run && event.end === "could-not-start",
  ).length;
  if (failed === 0) return;
  const milliseconds = context.deps.startBackOffSeconds * 1000 * 2 ** (failed - 1);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    context.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

async function runEngine(
  context: StepContext,
  engine: Engine,
  input: {
    readonly step: Extract<Step, { kind: "turn" }>;
    readonly place: Place;
    readonly access: Parameters<Engine["turn"]>[0]["access"];
    readonly workspace: string;
  },
): Promise<TurnResult> {
  const { deps, chain, pinned, signal } = context;
  const { place, step } = input;
  const stored = place.turn === 1 ? null : await deps.records.getBlob(chain, sessionName(place.run, place.turn - 1));
  return await engine.turn(
    {
      mode: "implement",
      workspace: input.workspace,
      mounts: [],
      system: systemPrompt(),
      prompt: turnPrompt(context, step, stored !== null),
      session: stored === null ? null : Buffer.from(stored).toString(),
      access: input.access,
      timeoutSeconds: pinned.rules.implement.timeoutMinutes * 60,
      modelCallsMax,
      signal,
      onProgress: (progress) => deps.log.info({ chain, run: place.run, turn: place.turn, progress }, "progress"),
    },
    deps.sandbox,
  );
}
