import type { ChainEvent, TurnEnd, TurnFinished } from "../../src/domain/event.ts";
import { turnEnds } from "../../src/domain/event.ts";
import { gateStates, type GateState } from "../../src/domain/gate-result.ts";
import { nextStep } from "../../src/domain/next-step.ts";
import { outcomes } from "../../src/domain/outcome.ts";
import { panelVerdict, provePass } from "../../src/domain/panel.ts";
import { stepsMax, type Policy } from "../../src/domain/policy.ts";
import type { Decision, Step } from "../../src/domain/step.ts";
import { summarise } from "../../src/domain/summarise.ts";
import { verdicts } from "../../src/domain/verdict.ts";
import {
  announced,
  approved,
  artifact,
  asking,
  breach,
  closed,
  contesting,
  failed,
  gate,
  judge,
  judged,
  preflighted,
  prepared,
  published,
  refused,
  spent,
  started,
  stop,
  turn,
  verified,
} from "./events.ts";

/** Choices of a world, one after the other; when the tape is over, the first choice is always taken. */
export function play(tape: readonly number[]) {
  let position = 0;
  const number = (): number => tape[position++] ?? 0;
  return {
    /** One of these; the first is the usual one. */
    pick: <T>(choices: readonly [T, ...T[]]): T => choices[number() % choices.length] ?? choices[0],
    /** True once in so many times. */
    rarely: (times: number): boolean => number() % times === times - 1,
  };
}

type Choose = ReturnType<typeof play>;

export interface Story {
  readonly events: readonly ChainEvent[];
  /** Each decision with the number of events it saw. */
  readonly decisions: readonly { readonly decision: Decision; readonly seen: number }[];
  /** Steps but for waits. */
  readonly steps: number;
}

/** Events that could not come there: at most so many in one story. */
const impossibleMax = 3;

/** Waits for an approval before somebody refuses it. */
const waitsMax = 3;

/** Lets a chain run in a world that answers each step as the choices say, until it ends or has taken too many steps. */
export function runChain(
  tape: readonly number[],
  world: { readonly chain: "implement" | "judge"; readonly policy: Policy; readonly impossible: boolean },
): Story {
  const choose = play(tape);
  const events: ChainEvent[] = [started(world.chain, world.policy.approval)];
  const decisions: { decision: Decision; seen: number }[] = [];
  let steps = 0;
  let waits = 0;
  let impossible = 0;
  while (steps <= stepsMax + impossibleMax + 1) {
    const decision = nextStep(summarise(events, world.policy));
    decisions.push({ decision, seen: events.length });
    if (decision.step.kind === "end") break;
    if (choose.rarely(12)) events.push(choose.pick<ChainEvent>([spent, stop, approved, refused]));
    if (decision.step.kind === "await-approval") {
      waits += 1;
      events.push(waits > waitsMax ? refused : choose.pick<ChainEvent>([approved, refused, spent, stop]));
      continue;
    }
    steps += 1;
    if (world.impossible && impossible < impossibleMax && choose.rarely(5)) {
      impossible += 1;
      events.push(anything(choose));
      continue;
    }
    events.push(answer(decision.step, events, choose, world));
  }
  return { events, decisions, steps };
}

function lastTree(events: readonly ChainEvent[]): string {
  return events.findLast((event): event is TurnFinished => event.kind === "turn-finished")?.tree ?? "base";
}

/** An honest effect's event for a step. */
function answer(
  step: Step,
  events: readonly ChainEvent[],
  choose: Choose,
  world: { readonly chain: "implement" | "judge"; readonly policy: Policy },
): ChainEvent {
  if (choose.rarely(25)) return failed(step.kind);
  switch (step.kind) {
    case "announce":
      return announced;
    case "preflight":
      return choose.rarely(15)
        ? { ...preflighted, problems: [{ code: "base-missing", message: "m", cure: "c" }] }
        : preflighted;
    case "prepare":
      return { ...prepared, headTree: world.chain === "judge" ? "head" : "base" };
    case "turn": {
      const from = lastTree(events);
      const to = choose.pick([`t${events.length}`, `t${events.length}`, `t${events.length}`, from, "base"]);
      const said = choose.pick([artifact(), artifact(), contesting, asking, { kind: "missing" } as const]);
      const end = choose.pick<TurnEnd>(["completed", "completed", "completed", ...turnEnds]);
      return turn(step.run, from, to, { purpose: step.purpose, end, artifact: said });
    }
    case "verify": {
      const tree = step.run === 0 ? "head" : lastTree(events);
      const state = choose.pick<GateState>(["passed", "passed", "failed", ...gateStates]);
      return verified(
        step.run,
        tree,
        [gate("passed", { name: "lint" }), gate(state)],
        choose.rarely(8) ? [breach] : [],
      );
    }
    case "judge": {
      const tree = step.run === 0 ? "head" : lastTree(events);
      const judges = [
        judge(choose.pick(["PASS", "NEEDS_WORK", ...verdicts])),
        judge(choose.pick(["PASS", ...verdicts])),
      ];
      const uncovered = choose.rarely(10) ? ["big.ts"] : [];
      const verification = events.findLast((event) => event.kind === "verified")?.verification ?? null;
      const { requiredGates } = world.policy;
      const ruling = provePass(panelVerdict(judges), { verification, requiredGates, uncovered });
      return judged(step.run, tree, ruling.verdict, { judges, uncovered });
    }
    case "publish": {
      const result = choose.pick(["done", "done", "done", "refused", "head-moved"] as const);
      const pushes = step.form === "ready" || step.form === "draft";
      return published(step.form, step.outcome, {
        result,
        pushedTree: pushes && result === "done" ? lastTree(events) : null,
      });
    }
    case "close":
      return closed(step.outcome);
    case "await-approval":
    case "end":
      throw new Error(`${step.kind} has no answer`);
  }
}

/** Any event, out of any place. */
function anything(choose: Choose): ChainEvent {
  const run = choose.pick([1, 2] as const);
  const tree = choose.pick(["t1", "base", "head", "t5"]);
  return choose.pick<ChainEvent>([
    started(),
    announced,
    preflighted,
    prepared,
    turn(run, choose.pick(["base", "t1", "t5"]), tree, { purpose: choose.pick(["write", "revise", "fix-gates"]) }),
    turn(3 as 2, "base", tree),
    verified(choose.pick([0, 1, 2]), tree),
    judged(choose.pick([0, 1, 2]), tree, "PASS", { judges: choose.pick([[judge("PASS")], [judge("ERROR")], []]) }),
    published(choose.pick(["ready", "draft", "comment", "verdict"]), choose.pick([...outcomes] as ["passed"]), {
      pushedTree: tree,
    }),
    failed(choose.pick(["turn", "publish", "announce", "close"])),
    closed(choose.pick([...outcomes] as ["passed"])),
    { kind: "from-a-newer-version" } as unknown as ChainEvent,
  ]);
}
