import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChainEvent } from "../../src/domain/event.ts";
import { stepsMax, type Policy } from "../../src/domain/policy.ts";
import { currentRound, publishableTree } from "../../src/domain/publishable-tree.ts";
import { summarise } from "../../src/domain/summarise.ts";
import { short } from "./short.ts";
import { runChain, type Story } from "./world.ts";

const policies: fc.Arbitrary<Policy> = fc.record({
  maxRevisions: fc.constantFrom(0 as const, 1 as const),
  fixTurnsMax: fc.integer({ min: 0, max: 5 }),
  requiredGates: fc.constantFrom<readonly string[]>([], ["test"], ["test", "absent"]),
  approval: fc.constantFrom("not-needed" as const, "needed" as const),
});

const worlds = fc.record({
  tape: fc.array(fc.nat(10_000), { minLength: 150, maxLength: 250, size: "max" }),
  policy: policies,
  chain: fc.constantFrom("implement" as const, "implement" as const, "judge" as const),
  impossible: fc.boolean(),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** Checks a property of whole stories in many worlds. */
function inAllWorlds(check: (story: Story, world: World) => void) {
  fc.assert(
    fc.property(worlds, (world) => check(runChain(world.tape, world), world)),
    { numRuns: 2_000 },
  );
}

const last = <K extends ChainEvent["kind"]>(events: readonly ChainEvent[], kind: K) =>
  events.findLast((event): event is Extract<ChainEvent, { kind: K }> => event.kind === kind);

const decided = (story: Story) => story.decisions.map(({ decision }) => short(decision));

describe("whatever the world answers", () => {
  test("the chain ends, within a bounded number of steps", () => {
    inAllWorlds((story, { impossible }) => {
      expect(story.decisions.at(-1)?.decision.step.kind).toBe("end");
      // Each impossible answer may cost the step that it did not answer.
      expect(story.steps).toBeLessThanOrEqual(stepsMax + (impossible ? 3 : 0));
    });
  });

  test("there is never a third run, and never a second after a verdict that forbids it", () => {
    inAllWorlds((story, { policy }) => {
      for (const { decision, seen } of story.decisions) {
        const { step } = decision;
        if (step.kind !== "turn") continue;
        const runs = new Set(
          story.events.slice(0, seen).flatMap((event) => (event.kind === "turn-finished" ? [event.run] : [])),
        );
        runs.add(step.run);
        expect(runs.size).toBeLessThanOrEqual(policy.maxRevisions + 1);
        expect(Math.max(...runs)).toBeLessThanOrEqual(policy.maxRevisions + 1);
      }
    });
  });

  test("ready and passed come from a PASS that is bound to the very tree", () => {
    inAllWorlds((story) => {
      for (const { decision, seen } of story.decisions) {
        const { step } = decision;
        if (step.kind !== "publish" || (step.form !== "ready" && step.outcome !== "passed")) continue;
        const events = story.events.slice(0, seen);
        const round = currentRound(events)?.round;
        expect(round?.verdict).toBe("PASS");
        expect(round?.judges.filter((judge) => judge.required).map((judge) => judge.verdict)).toContain("PASS");
        expect(round?.judges.every((judge) => judge.verdict === "PASS")).toBe(true);
        expect(round?.uncovered).toEqual([]);
        const verification = last(events, "verified")?.verification;
        expect(verification?.tree).toBe(round?.binding.headTree);
        if (step.form !== "ready") continue;
        expect(last(events, "turn-finished")?.tree).toBe(round?.binding.headTree);
        expect(verification?.breaches).toEqual([]);
        const source = publishableTree(events);
        expect(source?.tree).toBe(round?.binding.headTree);
        expect(source?.judged?.round).toEqual(round);
      }
    });
  });

  test("a chain ends as passed only where such a result was published", () => {
    inAllWorlds((story) => {
      if (decided(story).at(-1) !== "end passed") return;
      const result = last(story.events, "published");
      expect(result).toMatchObject({ outcome: "passed", result: "done" });
      expect(last(story.events, "judged")?.round.verdict).toBe("PASS");
    });
  });

  test("contradictory facts end as failed, and nothing is published after them", () => {
    inAllWorlds((story, { policy }) => {
      const first = story.decisions.findIndex(
        ({ seen }) => summarise(story.events.slice(0, seen), policy).contradiction !== null,
      );
      if (first < 0) return;
      const after = decided(story).slice(first);
      expect(after.at(-1)).toBe("end failed");
      for (const said of after) expect(["close failed", "end failed"]).toContain(said);
    });
  });

  test("honest answers never make a contradiction", () => {
    inAllWorlds((story, { policy, impossible }) => {
      if (!impossible) expect(summarise(story.events, policy).contradiction).toBeNull();
    });
  });

  test("a failed child leaks no verdict of an earlier attempt", () => {
    inAllWorlds((story) => {
      for (const { seen } of story.decisions) {
        const events = story.events.slice(0, seen);
        const judgedAt = events.findLastIndex((event) => event.kind === "judged");
        const later = events
          .slice(judgedAt + 1)
          .filter((event) => event.kind === "turn-finished")
          .some((turn) => turn.end !== "completed" || turn.tree !== turn.startTree);
        if (later) {
          expect(currentRound(events)).toBeNull();
          expect(publishableTree(events)?.judged ?? null).toBeNull();
        }
      }
    });
  });

  test("after a stop or a spent budget no work is begun", () => {
    inAllWorlds((story) => {
      const from = story.events.findIndex((event) => event.kind === "stop-requested" || event.kind === "budget-spent");
      if (from < 0) return;
      const after = story.decisions.filter(({ seen }) => seen > from).map(({ decision }) => decision.step.kind);
      for (const kind of after) expect(["turn", "verify", "judge", "prepare"]).not.toContain(kind);
    });
  });

  test("the fold is the same for the record read again, and no event is changed", () => {
    inAllWorlds((story, { policy }) => {
      const again = JSON.parse(JSON.stringify(story.events)) as readonly ChainEvent[];
      expect(summarise(again, policy)).toEqual(summarise(story.events, policy));
    });
  });

  test("the worlds reach every kind of end", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(worlds, (world) => {
        for (const said of decided(runChain(world.tape, world))) seen.add(said);
      }),
      { numRuns: 4_000, seed: 7 },
    );
    for (const outcome of ["passed", "needs-work", "blocked", "red", "failed", "no-change", "question", "cancelled"]) {
      expect(seen).toContain(`end ${outcome}`);
    }
    expect(seen).toContain("publish ready passed");
    expect(seen).toContain("publish verdict passed");
    expect(seen).toContain("turn 2 fix-gates");
    expect(seen).toContain("end stale");
  });
});
