import { describe, expect, test } from "vitest";
import type { ChainEvent, TurnEnd } from "../../src/domain/event.ts";
import { turnEnds } from "../../src/domain/event.ts";
import { nextStep } from "../../src/domain/next-step.ts";
import type { Policy } from "../../src/domain/policy.ts";
import { summarise } from "../../src/domain/summarise.ts";
import {
  announced,
  approved,
  artifact,
  asking,
  begun,
  begunHead,
  breach,
  closed,
  contesting,
  failed,
  gate,
  judge,
  judged,
  policy,
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
import { short } from "./short.ts";

const at = (events: readonly ChainEvent[], changes: Partial<Policy> = {}) =>
  summarise(events, { ...policy, ...changes }).at;
const end = (events: readonly ChainEvent[], changes: Partial<Policy> = {}) => {
  const place = at(events, changes);
  return place.kind === "run-ended" ? place.end : place.kind;
};
const next = (events: readonly ChainEvent[], changes: Partial<Policy> = {}) =>
  short(nextStep(summarise(events, { ...policy, ...changes })));
const contradiction = (events: readonly ChainEvent[], changes: Partial<Policy> = {}) =>
  summarise(events, { ...policy, ...changes }).contradiction;

const red = [gate("failed")];
const toNeedsWork = [...begun, turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t1", "NEEDS_WORK")];

describe("whole chains, step by step", () => {
  const stories: Readonly<Record<string, readonly (readonly [ChainEvent, string])[]>> = {
    "passed in the first run": [
      [started(), "announce"],
      [announced, "preflight"],
      [preflighted, "prepare"],
      [prepared, "turn 1 write"],
      [turn(1, "base", "t1"), "verify 1"],
      [verified(1, "t1"), "judge 1"],
      [judged(1, "t1", "PASS"), "publish ready passed"],
      [published("ready", "passed", { pushedTree: "t1" }), "close passed"],
      [closed("passed"), "end passed"],
    ],
    "revised once": [
      [started(), "announce"],
      [announced, "preflight"],
      [preflighted, "prepare"],
      [prepared, "turn 1 write"],
      [turn(1, "base", "t1"), "verify 1"],
      [verified(1, "t1", red), "turn 1 fix-gates"],
      [turn(1, "t1", "t2", { purpose: "fix-gates" }), "verify 1"],
      [verified(1, "t2"), "judge 1"],
      [judged(1, "t2", "NEEDS_WORK"), "turn 2 revise"],
      [turn(2, "t2", "t3"), "verify 2"],
      [verified(2, "t3"), "judge 2"],
      [judged(2, "t3", "NEEDS_WORK"), "publish draft needs-work"],
      [published("draft", "needs-work", { pushedTree: "t3" }), "close needs-work"],
      [closed("needs-work"), "end needs-work"],
    ],
    "the reviser contests and is right": [
      [started(), "announce"],
      [announced, "preflight"],
      [preflighted, "prepare"],
      [prepared, "turn 1 write"],
      [turn(1, "base", "t1"), "verify 1"],
      [verified(1, "t1"), "judge 1"],
      [judged(1, "t1", "NEEDS_WORK"), "turn 2 revise"],
      [turn(2, "t1", "t1", { artifact: contesting }), "judge 2"],
      [judged(2, "t1", "PASS"), "publish ready passed"],
      [published("ready", "passed", { pushedTree: "t1" }), "close passed"],
    ],
    "an approval is waited for": [
      [started("implement", "needed"), "announce"],
      [announced, "preflight"],
      [preflighted, "await-approval"],
      [{ ...approved, by: { login: "Maintainer", type: "User" } }, "await-approval"],
      [approved, "prepare"],
      [refused, "prepare"],
      [prepared, "turn 1 write"],
    ],
    "an approval is refused": [
      [started("implement", "needed"), "announce"],
      [announced, "preflight"],
      [preflighted, "await-approval"],
      [refused, "close cancelled"],
      [approved, "close cancelled"],
      [closed("cancelled"), "end cancelled"],
    ],
    "stopped in the middle": [
      [started(), "announce"],
      [announced, "preflight"],
      [preflighted, "prepare"],
      [prepared, "turn 1 write"],
      [stop, "close cancelled"],
      [turn(1, "base", "t1", { end: "cancelled" }), "close cancelled"],
      [closed("cancelled"), "end cancelled"],
      [stop, "end cancelled"],
    ],
    "somebody's pull request": [
      [started("judge"), "announce"],
      [announced, "preflight"],
      [preflighted, "prepare"],
      [{ ...prepared, headTree: "head" }, "verify 0"],
      [verified(0, "head", red), "judge 0"],
      [judged(0, "head", "NEEDS_WORK"), "publish verdict needs-work"],
      [published("verdict", "needs-work", { result: "head-moved" }), "close stale"],
      [closed("stale"), "end stale"],
    ],
    "the closing steps fail, then go well": [
      [started(), "announce"],
      [announced, "preflight"],
      [{ ...preflighted, problems: [{ code: "x", message: "x", cure: "x" }] }, "publish comment failed"],
      [published("comment", "failed"), "close failed"],
      [failed("close"), "close failed"],
      [closed("failed"), "end failed"],
    ],
    "the closing steps fail for ever": [
      [started(), "announce"],
      [failed("announce"), "close failed"],
      [failed("close"), "close failed"],
      [failed("close"), "end failed"],
    ],
    "a close that fails keeps its outcome": [
      ...begun.map((event): readonly [ChainEvent, string] => [event, ""]),
      [turn(1, "base", "t1"), "verify 1"],
      [verified(1, "t1"), "judge 1"],
      [judged(1, "t1", "PASS"), "publish ready passed"],
      [published("ready", "passed", { pushedTree: "t1" }), "close passed"],
      [failed("close"), "close passed"],
      [closed("passed"), "end passed"],
    ],
    "work fails, then telling of it fails": [
      ...begun.map((event): readonly [ChainEvent, string] => [event, ""]),
      [turn(1, "base", "t1"), "verify 1"],
      [verified(1, "t1"), "judge 1"],
      [failed("judge"), "publish draft failed"],
      [failed("publish"), "close failed"],
      [spent, "close failed"],
      [stop, "close failed"],
      [closed("failed"), "end failed"],
    ],
  };

  test.each(Object.entries(stories))("%s", (_name, steps) => {
    const events = steps.map(([event]) => event);
    steps.forEach(([, expected], index) => {
      if (expected !== "") expect(next(events.slice(0, index + 1)), `after event ${index}`).toBe(expected);
    });
  });
});

describe("how a turn ends a run", () => {
  const unmoved: Readonly<Record<TurnEnd, string>> = {
    completed: "not-moved",
    "no-answer": "refused",
    refused: "refused",
    limit: "refused",
    "timed-out": "refused",
    cancelled: "refused",
    crashed: "refused",
    "could-not-start": "start-again",
  };

  test.each(turnEnds)("%s, nothing written", (turnEnd) => {
    expect(end([...begun, turn(1, "base", "base", { end: turnEnd })])).toBe(unmoved[turnEnd]);
  });

  test.each(turnEnds)("%s, having written: gates speak, then the cut-off counts", (turnEnd) => {
    const events = [...begun, turn(1, "base", "t1", { end: turnEnd, artifact: asking })];
    expect(end(events)).toBe("wrote");
    const expected = turnEnd === "completed" ? "question" : "stopped-written";
    expect(end([...events, verified(1, "t1", red, [breach])])).toBe(expected);
  });

  test("a run whose engine can not start is tried three times, in each run anew", () => {
    const no = (run: 1 | 2, tree: string) => turn(run, tree, tree, { end: "could-not-start" });
    expect(end([...begun, no(1, "base"), no(1, "base")])).toBe("start-again");
    expect(end([...begun, no(1, "base"), no(1, "base"), no(1, "base")])).toBe("not-started");
    expect(next([...begun, no(1, "base"), no(1, "base"), no(1, "base")])).toBe("publish comment failed");
    const second = [...begun, no(1, "base"), turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t1", "NEEDS_WORK")];
    expect(end([...second, no(2, "t1"), no(2, "t1")])).toBe("start-again");
    expect(next([...second, no(2, "t1"), no(2, "t1")])).toBe("turn 2 revise");
    expect(next([...second, no(2, "t1"), no(2, "t1"), no(2, "t1")])).toBe("publish draft failed");
  });

  test("a question counts when the artifact says so, and not otherwise", () => {
    const worded = turn(1, "base", "base", { artifact: { kind: "malformed", complaint: "I have a question" } });
    expect(end([...begun, worded])).toBe("not-moved");
    expect(end([...begun, turn(1, "base", "base", { artifact: asking })])).toBe("question");
    expect(end([...begun, turn(1, "base", "t1", { artifact: asking }), verified(1, "t1")])).toBe("question");
    const fixed = [
      ...begun,
      turn(1, "base", "t1"),
      verified(1, "t1", red),
      turn(1, "t1", "t1", { purpose: "fix-gates", artifact: asking }),
    ];
    expect(end(fixed)).toBe("question");
    expect(end([...begun, turn(1, "base", "base", { artifact: asking, end: "timed-out" })])).toBe("refused");
  });

  test("only a judge's findings can be contested, and only in the revision", () => {
    expect(end([...begun, turn(1, "base", "base", { artifact: contesting })])).toBe("not-moved");
    const afterRed = [...begun, turn(1, "base", "t1"), verified(1, "t1", red)];
    const contested = turn(2, "t1", "t1", { artifact: contesting });
    expect(end([...afterRed, contested], { fixTurnsMax: 0 })).toBe("not-moved");
    expect(next([...afterRed, contested], { fixTurnsMax: 0 })).toBe("publish draft red");
    expect(end([...toNeedsWork, contested])).toBe("contested");
    expect(end([...toNeedsWork, turn(2, "t1", "t1", { artifact: artifact() })])).toBe("not-moved");
    expect(next([...toNeedsWork, turn(2, "t1", "t1")])).toBe("publish draft needs-work");
  });

  test("a change that is gone again is no change, also where only our own edit is left", () => {
    expect(end([...toNeedsWork, turn(2, "t1", "base")])).toBe("net-change-gone");
    expect(next([...toNeedsWork, turn(2, "t1", "base")])).toBe("publish comment no-change");
    expect(end([...begun, turn(1, "base", "own", { netChange: false })])).toBe("net-change-gone");
    const cut = [...toNeedsWork, turn(2, "t1", "base", { end: "crashed" })];
    expect(end(cut)).toBe("stopped-written");
    expect(next(cut)).toBe("publish draft failed");
  });

  test("gates that would pass on the unchanged tree are not asked", () => {
    expect(next([...begun, turn(1, "base", "base")])).toBe("publish comment no-change");
  });
});

describe("what gates make of a run", () => {
  const optional = { requiredGates: ["test"] };
  const lint = (state: Parameters<typeof gate>[0]) => gate(state, { name: "lint" });
  test.each([
    ["green", [gate("passed"), gate("skipped"), gate("unverified")], [], {}],
    ["fixable", [gate("passed"), gate("failed")], [], {}],
    ["fixable", [gate("passed")], [breach], {}],
    ["red", red, [], { fixTurnsMax: 0 }],
    ["policy-red", red, [breach], { fixTurnsMax: 0 }],
    ["green", [gate("failed", { knownRed: true }), gate("passed")], [], {}],
    ["gate-broken", [gate("broken"), gate("failed")], [], {}],
    ["policy-red", [gate("broken")], [breach], {}],
    ["gate-broken", [gate("broken")], [], optional],
    ["green", [gate("passed"), lint("broken")], [], optional],
    ["green", [gate("passed"), lint("failed")], [], optional],
    ["fixable", [gate("failed"), lint("broken")], [], optional],
    ["unverified", [], [], {}],
    ["unverified", [gate("skipped"), gate("unverified")], [], {}],
  ] as const)("%s", (expected, gates, breaches, changes) => {
    expect(end([...begun, turn(1, "base", "t1"), verified(1, "t1", gates, breaches)], changes)).toBe(expected);
  });

  test.each([0, 1, 5])("at most %i completed fix turns, in each run anew", (fixTurnsMax) => {
    const events: ChainEvent[] = [...begun, turn(1, "base", "t0"), verified(1, "t0", red)];
    for (let count = 0; count < fixTurnsMax; count++) {
      expect(next(events, { fixTurnsMax })).toBe("turn 1 fix-gates");
      events.push(turn(1, `t${count}`, `t${count + 1}`, { purpose: "fix-gates" }), verified(1, `t${count + 1}`, red));
    }
    expect(end(events, { fixTurnsMax })).toBe("red");
    events.push(turn(2, `t${fixTurnsMax}`, "u"), verified(2, "u", red));
    expect(end(events, { fixTurnsMax })).toBe(fixTurnsMax === 0 ? "red" : "fixable");
    expect(contradiction(events, { fixTurnsMax })).toBeNull();
  });

  test("a fix turn that moves nothing ends the run as the gates last said", () => {
    const idle = (changes = {}) => turn(1, "t1", "t1", { purpose: "fix-gates", ...changes });
    expect(end([...begun, turn(1, "base", "t1"), verified(1, "t1", red), idle()])).toBe("red");
    const cut = idle({ end: "timed-out", artifact: asking });
    expect(end([...begun, turn(1, "base", "t1"), verified(1, "t1", red), cut])).toBe("red");
    expect(end([...begun, turn(1, "base", "t1"), verified(1, "t1", red, [breach]), idle()])).toBe("policy-red");
  });
});

describe("impossible facts", () => {
  test.each<readonly [string, readonly ChainEvent[]]>([
    ["event-out-of-order", []],
    ["event-out-of-order", [announced]],
    ["event-out-of-order", [stop, started()]],
    ["event-out-of-order", [started(), started()]],
    ["event-out-of-order", [started(), preflighted]],
    ["event-out-of-order", [started(), announced, announced]],
    ["event-out-of-order", [started(), announced, prepared]],
    [
      "event-out-of-order",
      [started(), announced, { ...preflighted, problems: [{ code: "x", message: "x", cure: "x" }] }, prepared],
    ],
    ["event-out-of-order", [...begun, failed("turn"), failed("verify")]],
    [
      "event-out-of-order",
      [...begun, turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t1", "PASS"), published("draft", "passed")],
    ],
    ["event-out-of-order", [started("implement", "needed"), announced, preflighted, prepared]],
    ["event-out-of-order", [...begunHead, turn(1, "base", "t1")]],
    ["event-out-of-order", [...begun, verified(1, "base")]],
    ["event-out-of-order", [...begun, verified(0, "base")]],
    ["event-out-of-order", [...begun, turn(2, "base", "t1")]],
    ["event-out-of-order", [...begun, turn(1, "base", "t1", { purpose: "fix-gates" })]],
    ["event-out-of-order", [...begun, turn(1, "elsewhere", "t1")]],
    ["event-out-of-order", [...begun, turn(1, "base", "t1"), turn(1, "t1", "t2", { purpose: "fix-gates" })]],
    ["event-out-of-order", [...begun, turn(1, "base", "t1"), judged(1, "t1", "PASS")]],
    ["event-out-of-order", [...begun, turn(1, "base", "t1"), verified(2, "t1")]],
    ["event-out-of-order", [...begun, turn(1, "base", "t1"), verified(1, "t1", red), judged(1, "t1", "PASS")]],
    ["event-out-of-order", [...begun, published("ready", "passed", { pushedTree: "base" })]],
    ["event-out-of-order", [...begun, published("comment", "passed")]],
    ["event-out-of-order", [...toNeedsWork, published("ready", "passed", { pushedTree: "t1" })]],
    ["event-out-of-order", [...begun, closed("passed")]],
    ["event-out-of-order", [...begun, closed("failed"), closed("failed")]],
    ["event-out-of-order", [...begun, failed("prepare"), prepared]],
    ["verification-of-another-tree", [...begun, turn(1, "base", "t1"), verified(1, "t0")]],
    ["verification-of-another-tree", [...begunHead, verified(0, "base")]],
    ["verdict-for-another-tree", [...begun, turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t0", "PASS")]],
    ["verdict-for-another-tree", [...begunHead, verified(0, "head"), judged(0, "base", "PASS")]],
    [
      "verdict-for-another-tree",
      [
        ...begun,
        turn(1, "base", "t1"),
        verified(1, "t1"),
        judged(1, "t1", "PASS"),
        published("ready", "passed", { pushedTree: "t2" }),
      ],
    ],
    ["published-twice", [...begun, published("comment", "failed"), published("comment", "failed")]],
    ["unknown-event", [...begun, { kind: "dreamt" } as unknown as ChainEvent]],
  ])("%s (%#)", (expected, events) => {
    expect(contradiction(events)).toBe(expected);
    const decision = nextStep(summarise(events, policy));
    expect(short(decision)).toBe(at(events).kind === "closed" ? "end failed" : "close failed");
  });

  test.each([
    ["no judge", { judges: [] }],
    ["only an advisory judge", { judges: [judge("PASS", { required: false })] }],
    ["a required judge with an ERROR", { judges: [judge("PASS"), judge("ERROR")] }],
    ["a file that nobody saw", { uncovered: ["a.ts"] }],
  ])("a PASS with %s is not believed", (_name, round) => {
    const events = [...begun, turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t1", "PASS", round)];
    expect(contradiction(events)).toBe("verdict-without-proof");
    expect(next(events)).toBe("close failed");
  });

  test("a third run, in any disguise", () => {
    const twice = [...toNeedsWork, turn(2, "t1", "t2"), verified(2, "t2"), judged(2, "t2", "NEEDS_WORK")];
    expect(contradiction([...twice, turn(3 as 2, "t2", "t3")])).toBe("third-run");
    expect(contradiction([...twice, turn(2, "t2", "t3")])).toBe("third-run");
    expect(contradiction([...toNeedsWork, turn(2, "t1", "t2")], { maxRevisions: 0 })).toBe("third-run");
  });

  test("more turns than a run can have", () => {
    const events: ChainEvent[] = [...begun, turn(1, "base", "t0"), verified(1, "t0", red)];
    for (let count = 0; count < 8; count++) {
      const cut = { purpose: "fix-gates", end: "crashed" } as const;
      events.push(turn(1, `t${count}`, `t${count + 1}`, cut), verified(1, `t${count + 1}`, red));
    }
    expect(contradiction(events)).toBe("event-out-of-order");
  });

  test("what comes from outside is never out of order, and a spent budget stays spent", () => {
    const events = [...begun, spent, approved, refused, stop, spent];
    const situation = summarise(events, policy);
    expect(situation).toMatchObject({ contradiction: null, stopRequested: true, budget: "spent" });
    expect(situation.approval).toBe("not-needed");
  });
});

describe("what may be revised and handed over", () => {
  test("a spent budget hands over what is clean, and says nothing of what no gate has seen", () => {
    expect(next([...begun, turn(1, "base", "t1", { end: "limit" }), spent])).toBe("publish comment failed");
    expect(next([...toNeedsWork, spent])).toBe("publish draft failed");
    expect(next([...begunHead, verified(0, "head"), spent])).toBe("publish comment failed");
  });

  test("no revision where the rules allow none", () => {
    expect(next(toNeedsWork, { maxRevisions: 0 })).toBe("publish draft needs-work");
    expect(next([...begun, turn(1, "base", "base")], { maxRevisions: 0 })).toBe("publish comment no-change");
  });
});
