import picomatch from "picomatch";
import type { GateRule } from "../config/rules.ts";
import type { GateResult } from "../domain/gate-result.ts";
import type { Mount, Sandbox } from "../process/sandbox.ts";
import type { Tree } from "../workspace/workspace.ts";
import { type BaseDefinition, overlayBaseDefinition, readBaseDefinition } from "./overlay-base-definition.ts";
import { type GateRun, runGate } from "./run-gate.ts";
import { findSelfChange, type ReadBaseFile } from "./self-changed.ts";

/** What gates run on. */
export interface GatesContext {
  /** A fresh checkout of the candidate tree, with `setup`'s outputs laid in. Asked for again for every single run. */
  readonly openTree: () => Promise<Tree>;
  /** A file of the base tree; null where there is none. */
  readonly readBaseFile: ReadBaseFile;
  /** Paths that the change touches, old names of renamed files too. */
  readonly changedPaths: readonly string[];
  readonly sandbox: Sandbox;
  readonly mounts?: readonly Mount[];
  readonly signal: AbortSignal;
  readonly onGate?: (result: GateResult) => void;
}

/**
 * Runs every gate, one after the other, each run on a checkout of its own so that one gate's droppings never reach the
 * next. A red one does not hide the others. Rejects when `signal` aborted, or a checkout could not be made.
 */
export async function runGates(rules: readonly GateRule[], context: GatesContext): Promise<readonly GateResult[]> {
  const results: GateResult[] = [];
  for (const rule of rules) {
    context.signal.throwIfAborted();
    const result = applies(rule, context.changedPaths) ? await establish(rule, context) : skipped(rule);
    results.push(result);
    context.onGate?.(result);
  }
  return results;
}

function applies(rule: GateRule, changedPaths: readonly string[]): boolean {
  if (rule.when.length === 0) return true;
  const matches = picomatch([...rule.when], { dot: true });
  return changedPaths.some((path) => matches(path));
}

function skipped(rule: GateRule): GateResult {
  return {
    name: rule.name,
    command: rule.command,
    state: "skipped",
    reason: `no changed file matches its \`when\` (${rule.when.join(", ")})`,
    exitCode: null,
    seconds: 0,
    output: "",
    flaky: false,
    selfChanged: false,
    knownRed: false,
  };
}

/** One gate's fact: by its own definition, and where the change touches that, by the base's too. */
async function establish(rule: GateRule, context: GatesContext): Promise<GateResult> {
  const change = await findSelfChange(rule, context.changedPaths, context.readBaseFile);
  let definition: BaseDefinition = new Map();
  const own = await runSurely(rule, context, async (treePath) => {
    definition = await readBaseDefinition(treePath, change, context.readBaseFile);
  });
  // Red by its own definition is red: the base's could only say so again.
  if (definition.size === 0 || own.state === "failed") {
    return { ...own, selfChanged: definition.size > 0 || change.mark.length > 0 };
  }
  const based = await runSurely(rule, context, (treePath) => overlayBaseDefinition(treePath, definition));
  return compare(own, based);
}

/** An agent that edits the test script to `true` changes no gate's result. */
function compare(own: GateResult, based: GateResult): GateResult {
  if (based.state === "failed") {
    const reason = `${based.reason} with the base's definition of this gate; with the change's own it is ${own.state}`;
    return { ...based, reason, selfChanged: true };
  }
  const reason =
    based.state === own.state
      ? `${own.reason}, with the base's definition too`
      : `${own.reason}; with the base's definition ${based.state}: ${based.reason}`;
  return { ...own, reason, flaky: own.flaky || based.flaky, selfChanged: true };
}

type Prepare = (treePath: string) => Promise<void>;

/** Runs a gate, and once more unchanged where it was red or broken: chance is found out before anything is spent on it. */
async function runSurely(rule: GateRule, context: GatesContext, prepare: Prepare): Promise<GateResult> {
  const first = await runOnce(rule, context, prepare);
  const rest = { flaky: false, selfChanged: false, knownRed: false };
  if (first.state !== "failed" && first.state !== "broken") return { ...first, ...rest };
  const second = await runOnce(rule, context, prepare);
  if (second.state === "passed") {
    return { ...second, ...rest, flaky: true, reason: `${second.reason}, after ${first.state}: ${first.reason}` };
  }
  // Of two that are not green, the one that says more about the change.
  return { ...(first.state === "failed" && second.state !== "failed" ? first : second), ...rest };
}

async function runOnce(rule: GateRule, context: GatesContext, prepare: Prepare): Promise<GateRun> {
  context.signal.throwIfAborted();
  const tree = await context.openTree();
  try {
    await prepare(tree.path);
    const { sandbox, mounts = [], signal } = context;
    return await runGate(rule, { treePath: tree.path, sandbox, mounts, signal });
  } finally {
    await tree.release();
  }
}
