import { expect, test } from "vitest";
import type { ChainEvent } from "../../src/domain/event.ts";
import { allRounds, currentRound, currentVerification, publishableTree } from "../../src/domain/publishable-tree.ts";
import { begun, begunHead, breach, contesting, gate, judged, turn, verified } from "./events.ts";

const first = [...begun, turn(1, "base", "t1"), verified(1, "t1"), judged(1, "t1", "NEEDS_WORK")];

/** Tree, run, and the verdict that is current for it. */
const said = (events: readonly ChainEvent[]) => {
  const source = publishableTree(events);
  return source && [source.tree, source.run, source.judged?.round.verdict ?? null];
};

test.each<readonly [string, readonly ChainEvent[], readonly unknown[] | null]>([
  ["nothing written", begun, null],
  ["written, not verified", [...begun, turn(1, "base", "t1")], null],
  ["verified with a breach", [...begun, turn(1, "base", "t1"), verified(1, "t1", [], [breach])], null],
  ["only our own edit", [...begun, turn(1, "base", "own", { netChange: false }), verified(1, "own")], null],
  ["the base itself", [...begun, turn(1, "own", "base", { netChange: true }), verified(1, "base")], null],
  ["somebody's head", [...begunHead, verified(0, "head"), judged(0, "head", "PASS")], null],
  [
    "red gates do not matter here",
    [...begun, turn(1, "base", "t1"), verified(1, "t1", [gate("failed")])],
    ["t1", 1, null],
  ],
  ["judged", first, ["t1", 1, "NEEDS_WORK"]],
  ["run 2 wrote, not verified", [...first, turn(2, "t1", "t2")], ["t1", 1, null]],
  ["run 2 verified, not judged", [...first, turn(2, "t1", "t2"), verified(2, "t2")], ["t2", 2, null]],
  ["run 2 broke the policy", [...first, turn(2, "t1", "t2"), verified(2, "t2", [], [breach])], ["t1", 1, null]],
  ["run 2 went back to the base", [...first, turn(2, "t1", "base")], ["t1", 1, null]],
  [
    "run 2 went back to run 1's tree",
    [
      ...first,
      turn(2, "t1", "t2"),
      verified(2, "t2"),
      turn(2, "t2", "t1", { purpose: "fix-gates" }),
      verified(2, "t1"),
    ],
    ["t1", 2, null],
  ],
  ["run 2 crashed and wrote nothing", [...first, turn(2, "t1", "t1", { end: "crashed" })], ["t1", 1, null]],
  ["run 2 changed nothing", [...first, turn(2, "t1", "t1")], ["t1", 1, "NEEDS_WORK"]],
  [
    "contested, judged again",
    [...first, turn(2, "t1", "t1", { artifact: contesting }), judged(2, "t1", "PASS")],
    ["t1", 1, "PASS"],
  ],
  [
    "judged in both runs",
    [...first, turn(2, "t1", "t2"), verified(2, "t2"), judged(2, "t2", "PASS")],
    ["t2", 2, "PASS"],
  ],
])("%s", (_name, events, expected) => {
  expect(said(events)).toEqual(expected);
});

test("the latest round decides: an older request for changes does not outlive a later PASS", () => {
  const events = [...first, turn(2, "t1", "t2"), verified(2, "t2"), judged(2, "t2", "PASS")];
  expect(currentRound(events)?.round.verdict).toBe("PASS");
  expect(allRounds(events).map((round) => round.run)).toEqual([1, 2]);
});

test("gates of an older tree are not current", () => {
  expect(currentVerification(begun)).toBeNull();
  expect(currentVerification(first)?.verification.tree).toBe("t1");
  expect(currentVerification([...first, turn(2, "t1", "t1")])?.verification.tree).toBe("t1");
  expect(currentVerification([...first, turn(2, "t1", "t2")])).toBeNull();
});
