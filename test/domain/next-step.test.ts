import { describe, expect, test } from "vitest";
import { nextStep } from "../../src/domain/next-step.ts";
import { isHeavy } from "../../src/domain/step.ts";
import type { Situation } from "../../src/domain/situation.ts";
import { short } from "./short.ts";
import { allSituations, places, situation } from "./situations.ts";

/** What a rule says about a situation and its answer: null where it holds, else what is wrong. */
type Rule = (s: Situation, said: string, heavy: boolean) => string | null;

const isFailureToTell = ({ at }: Situation) => at.kind === "step-failed" && at.step !== "work";
const isOver = ({ at }: Situation) => at.kind === "closed" || at.kind === "close-failed";
const isPastPublication = (s: Situation) => isOver(s) || s.at.kind === "published" || isFailureToTell(s);
const mustSay = (said: string, expected: string) => (said === expected ? null : `expected ${expected}`);

/** Rows of chain.md "What next" and the promises, each over every situation there is. */
const rules: Readonly<Record<string, Rule>> = {
  "a closed chain ends, whatever else is true": (s, said) =>
    s.at.kind === "closed"
      ? mustSay(said, `end ${s.contradiction === null ? s.at.outcome : "failed"}`)
      : s.at.kind === "close-failed"
        ? mustSay(said, "end failed")
        : said.startsWith("end")
          ? "ends a chain that is not closed"
          : null,
  "row 1: contradictory facts close as failed, nothing is published": (s, said) =>
    s.contradiction !== null && !isOver(s) ? mustSay(said, "close failed") : null,
  "row 2: a stop before publication closes as cancelled": (s, said) =>
    s.stopRequested && s.contradiction === null && !isPastPublication(s) ? mustSay(said, "close cancelled") : null,
  "row 2: past publication a stop and a spent budget change nothing": (s, said) =>
    isPastPublication(s) ? mustSay(said, short(nextStep({ ...s, stopRequested: false, budget: "left" }))) : null,
  "row 3: a refused approval closes as cancelled": (s, said) =>
    s.approval === "refused" && s.contradiction === null && !isPastPublication(s)
      ? mustSay(said, "close cancelled")
      : null,
  "row 3: without an approval nothing heavy begins": (s, _said, heavy) =>
    s.approval === "missing" && heavy ? "begins heavy work" : null,
  "row 4: a spent budget hands over": (s, said) => {
    const comes = s.budget === "spent" && (s.approval === "not-needed" || s.approval === "granted");
    if (!comes || s.stopRequested || s.contradiction !== null || isPastPublication(s)) return null;
    const draft = s.chain === "implement" && s.draft === "possible";
    return mustSay(said, `publish ${draft ? "draft" : "comment"} failed`);
  },
  "row 3 before row 4: while an approval is missing, a spent budget changes nothing": (s, said) =>
    s.approval === "missing" && s.at.kind !== "step-failed" && s.budget === "spent"
      ? mustSay(said, short(nextStep({ ...s, budget: "left" })))
      : null,
  "row 4: with a spent budget nothing heavy begins": (s, _said, heavy) =>
    s.budget === "spent" && heavy ? "begins heavy work" : null,
  "a third run is never begun": (s, said) => {
    if (!said.startsWith("turn")) return null;
    if (said === "turn 1 write") return s.runs <= 1 ? null : "begins the first run again";
    if (said === "turn 2 revise") {
      const again = s.at.kind === "run-ended" && s.at.end === "start-again" && s.runs === 2;
      return again || (s.runs === 1 && s.mayRevise) ? null : "begins a run that is not left";
    }
    return said === `turn ${s.runs} fix-gates` && s.at.kind === "fixable" ? null : "an unknown kind of turn";
  },
  "a ready pull request comes from a PASS alone": (s, said) =>
    said.startsWith("publish ready")
      ? (mustSay(said, "publish ready passed") ??
        (s.at.kind === "judged" && s.at.verdict === "PASS" && s.draft === "possible" && s.chain === "implement"
          ? null
          : "ready without a PASS on a publishable tree"))
      : null,
  "passed comes from a PASS alone": (s, said) => {
    if (said.startsWith("publish") && said.endsWith("passed")) {
      return s.at.kind === "judged" && s.at.verdict === "PASS" ? null : "passed without a PASS";
    }
    if (said === "close passed") return s.at.kind === "published" && s.at.result === "done" ? null : "closed as passed";
    return null;
  },
  "a draft needs a publishable tree of an implement chain": (s, said) =>
    said.startsWith("publish draft") && (s.draft === "impossible" || s.chain === "judge") ? "a draft of nothing" : null,
  "a chain that only judges writes nothing": (s, said) =>
    s.chain === "judge" && /^(?:turn|publish (?:ready|draft))/.test(said) ? "writes" : null,
  "a verdict is shown by a chain that only judges": (s, said) =>
    said.startsWith("publish verdict") && s.chain === "implement" ? "shown in an implement chain" : null,
  "a revision is never spent on BLOCKED or ERROR": (s, said) =>
    s.at.kind === "judged" && s.at.verdict !== "NEEDS_WORK" && said.startsWith("turn") ? "spends a run" : null,
};

describe("nextStep over every situation", () => {
  const broken = new Map<string, string>();
  let count = 0;
  for (const s of allSituations()) {
    count += 1;
    const decision = nextStep(s);
    const said = short(decision);
    const { reason } = decision;
    if (!/^\S[^\n]{5,160}$/.test(reason))
      broken.set("every answer has a short reason", `${JSON.stringify(s)}: ${reason}`);
    for (const [name, rule] of Object.entries(rules)) {
      const wrong = rule(s, said, isHeavy(decision.step));
      if (wrong !== null && !broken.has(name)) broken.set(name, `${wrong}, but "${said}" at ${JSON.stringify(s)}`);
    }
  }

  test("the product is whole", () => {
    expect(places).toHaveLength(66);
    expect(new Set(places.map((at) => JSON.stringify(at))).size).toBe(66);
    expect(count).toBe(66 * 2 * 8 * 2 * 4 * 2 * 3 * 2 * 2 * 5);
  });

  test.each(["every answer has a short reason", ...Object.keys(rules)])("%s", (name) => {
    expect(broken.get(name)).toBeUndefined();
  });
});

describe("the run table", () => {
  // chain.md: how the run ended | run 1 with a revision left | run 1 without | run 2. Where two answers are given, the
  // first needs a tree that a draft can be made of, the second has none.
  const table: readonly (readonly [string, string, string, string])[] = [
    ["green", "judge 1", "judge 1", "judge 2"],
    ["unverified", "judge 1", "judge 1", "judge 2"],
    ["red", "turn 2 revise", "draft red / comment red", "draft red / comment red"],
    ["red-escalated", "draft red / comment red", "draft red / comment red", "draft red / comment red"],
    ["gate-broken", "draft failed / comment failed", "draft failed / comment failed", "draft failed / comment failed"],
    ["policy-red", "turn 2 revise", "comment red", "comment red"],
    ["question", "comment question", "draft needs-work / comment question", "draft needs-work / comment question"],
    ["contested", "judge 1", "judge 1", "judge 2"],
    ["not-moved", "comment no-change", "comment no-change", "draft red / comment red"],
    ["net-change-gone", "comment no-change", "comment no-change", "comment no-change"],
    ["stopped-written", "turn 2 revise", "draft failed / comment failed", "draft failed / comment failed"],
    ["start-again", "turn 1 write", "turn 1 write", "turn 2 revise"],
    ["not-started", "draft failed / comment failed", "draft failed / comment failed", "draft failed / comment failed"],
    ["refused", "draft failed / comment failed", "draft failed / comment failed", "draft failed / comment failed"],
  ];

  const cells = table.flatMap(([end, left, spent, second]) =>
    [
      { runs: 1 as const, mayRevise: true, cell: left },
      { runs: 1 as const, mayRevise: false, cell: spent },
      { runs: 2 as const, mayRevise: false, cell: second },
      // Impossible, and yet no third run.
      { runs: 2 as const, mayRevise: true, cell: second },
    ].flatMap(({ runs, mayRevise, cell }) => {
      const [possible = "", impossible = possible] = cell.split(" / ");
      const whole = (words: string) => (/^(?:draft|comment)/.test(words) ? `publish ${words}` : words);
      return [
        { end, runs, mayRevise, draft: "possible" as const, expected: whole(possible) },
        { end, runs, mayRevise, draft: "impossible" as const, expected: whole(impossible) },
      ];
    }),
  );

  test("has a row for every end of a run", () => {
    const ends = places.flatMap((at) => (at.kind === "run-ended" ? [at.end] : []));
    expect(table.map(([end]) => end).toSorted()).toEqual(ends.toSorted());
  });

  test.each(cells)("$end, run $runs, may revise: $mayRevise, draft $draft → $expected", (cell) => {
    const at = places.find((at) => at.kind === "run-ended" && at.end === cell.end);
    if (at === undefined) throw new Error(`no end ${cell.end}`);
    const { runs, mayRevise, draft } = cell;
    expect(short(nextStep(situation({ at, runs, mayRevise, draft })))).toBe(cell.expected);
  });

  test.each([
    [null, "publish draft red"],
    ["NEEDS_WORK", "publish draft needs-work"],
    ["BLOCKED", "publish draft blocked"],
    ["ERROR", "publish draft blocked"],
    ["PASS", "close failed"],
  ] as const)("a revision that changes nothing after %s → %s", (lastVerdict, expected) => {
    const at = { kind: "run-ended", end: "not-moved" } as const;
    expect(short(nextStep(situation({ at, runs: 2, mayRevise: false, lastVerdict })))).toBe(expected);
  });

  test("a run that never began, or one of a chain that only judges, is an unexpected state", () => {
    for (const at of places) {
      if (at.kind !== "run-ended" && at.kind !== "wrote" && at.kind !== "fixable") continue;
      expect(short(nextStep(situation({ at, runs: 0 })))).toBe("close failed");
      expect(short(nextStep(situation({ at, chain: "judge" })))).toBe("close failed");
    }
  });
});

describe("the judges' table", () => {
  test.each([
    ["PASS", "publish ready passed", "publish ready passed", "publish ready passed"],
    ["NEEDS_WORK", "turn 2 revise", "publish draft needs-work", "publish draft needs-work"],
    ["BLOCKED", "publish draft blocked", "publish draft blocked", "publish draft blocked"],
    ["ERROR", "publish draft blocked", "publish draft blocked", "publish draft blocked"],
  ] as const)("%s: %s, else %s, in run 2 %s", (verdict, left, spent, second) => {
    const at = { kind: "judged", verdict } as const;
    expect(short(nextStep(situation({ at, mayRevise: true })))).toBe(left);
    expect(short(nextStep(situation({ at, mayRevise: false })))).toBe(spent);
    expect(short(nextStep(situation({ at, runs: 2, mayRevise: false })))).toBe(second);
    expect(short(nextStep(situation({ at, runs: 2, mayRevise: true })))).toBe(second);
  });

  test.each([
    ["PASS", "passed"],
    ["NEEDS_WORK", "needs-work"],
    ["BLOCKED", "blocked"],
    ["ERROR", "blocked"],
  ] as const)("on somebody's pull request: %s → %s", (verdict, outcome) => {
    const at = { kind: "judged", verdict } as const;
    expect(short(nextStep(situation({ at, chain: "judge", runs: 0 })))).toBe(`publish verdict ${outcome}`);
    expect(short(nextStep(situation({ at, chain: "judge", runs: 1 })))).toBe("close failed");
  });

  test("a PASS on what may not be published, or before any run, is an unexpected state", () => {
    const at = { kind: "judged", verdict: "PASS" } as const;
    const decision = nextStep(situation({ at, draft: "impossible" }));
    expect(short(decision)).toBe("close failed");
    expect(decision.reason).toMatch(/^unexpected state: /);
    expect(short(nextStep(situation({ at, runs: 0 })))).toBe("close failed");
  });
});

describe("the way through a chain", () => {
  test.each([
    ["implement", { kind: "start" }, 0, "announce"],
    ["implement", { kind: "announced" }, 0, "preflight"],
    ["implement", { kind: "preflighted", result: "ok" }, 0, "prepare"],
    ["implement", { kind: "preflighted", result: "problems" }, 0, "publish comment failed"],
    ["judge", { kind: "preflighted", result: "problems" }, 0, "publish comment failed"],
    ["implement", { kind: "prepared" }, 0, "turn 1 write"],
    ["implement", { kind: "prepared" }, 1, "close failed"],
    ["judge", { kind: "prepared" }, 0, "verify 0"],
    ["implement", { kind: "wrote" }, 1, "verify 1"],
    ["implement", { kind: "wrote" }, 2, "verify 2"],
    ["implement", { kind: "fixable" }, 1, "turn 1 fix-gates"],
    ["implement", { kind: "fixable" }, 2, "turn 2 fix-gates"],
    ["judge", { kind: "head-verified" }, 0, "judge 0"],
    ["implement", { kind: "head-verified" }, 0, "close failed"],
    ["implement", { kind: "published", result: "done", outcome: "red" }, 2, "close red"],
    ["implement", { kind: "published", result: "refused", outcome: "passed" }, 1, "close failed"],
    ["judge", { kind: "published", result: "head-moved", outcome: "passed" }, 0, "close stale"],
    ["implement", { kind: "step-failed", step: "work" }, 1, "publish draft failed"],
    ["judge", { kind: "step-failed", step: "work" }, 0, "publish comment failed"],
    ["implement", { kind: "step-failed", step: "announce" }, 0, "close failed"],
    ["implement", { kind: "step-failed", step: "publish" }, 1, "close failed"],
  ] as const)("%s at %j, runs %i → %s", (chain, at, runs, expected) => {
    expect(short(nextStep(situation({ chain, at, runs })))).toBe(expected);
  });

  test("a missing approval is waited for after a preflight that found everything, and only then", () => {
    const said = (at: Situation["at"]) => short(nextStep(situation({ at, runs: 0, approval: "missing" })));
    expect(said({ kind: "start" })).toBe("announce");
    expect(said({ kind: "announced" })).toBe("preflight");
    expect(said({ kind: "preflighted", result: "problems" })).toBe("publish comment failed");
    expect(said({ kind: "preflighted", result: "ok" })).toBe("await-approval");
    expect(said({ kind: "prepared" })).toBe("await-approval");
  });
});
