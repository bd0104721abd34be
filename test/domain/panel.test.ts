import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../src/domain/finding.ts";
import { severities } from "../../src/domain/finding.ts";
import { gateStates, type Verification } from "../../src/domain/gate-result.ts";
import { effectiveVerdict, panelVerdict, provePass } from "../../src/domain/panel.ts";
import { verdicts, type Verdict } from "../../src/domain/verdict.ts";
import { breach, gate, judge } from "./events.ts";

const finding = (severity: Finding["severity"]): Finding => ({
  id: "F1",
  severity,
  path: null,
  line: null,
  summary: "s",
  detail: "",
  suggestion: null,
});

test.each([
  ["PASS", "blocker", "NEEDS_WORK"],
  ["PASS", "major", "NEEDS_WORK"],
  ["PASS", "minor", "PASS"],
  ["PASS", null, "PASS"],
  ["NEEDS_WORK", "blocker", "NEEDS_WORK"],
  ["NEEDS_WORK", "minor", "NEEDS_WORK"],
  ["NEEDS_WORK", null, "NEEDS_WORK"],
  ["BLOCKED", "minor", "BLOCKED"],
  ["BLOCKED", "major", "BLOCKED"],
  ["BLOCKED", null, "BLOCKED"],
] as const)("%s with %s finding → %s", (word, severity, expected) => {
  expect(effectiveVerdict(word, severity === null ? [] : [finding("minor"), finding(severity)])).toBe(expected);
});

test("every severity is known", () => {
  expect(severities).toEqual(["blocker", "major", "minor"]);
});

describe("the panel's verdict", () => {
  // Rows and columns: two required judges, in either order.
  const table: readonly (readonly [Verdict, Verdict, Verdict])[] = [
    ["PASS", "PASS", "PASS"],
    ["PASS", "NEEDS_WORK", "NEEDS_WORK"],
    ["PASS", "ERROR", "ERROR"],
    ["PASS", "BLOCKED", "BLOCKED"],
    ["NEEDS_WORK", "NEEDS_WORK", "NEEDS_WORK"],
    ["NEEDS_WORK", "ERROR", "ERROR"],
    ["NEEDS_WORK", "BLOCKED", "BLOCKED"],
    ["ERROR", "ERROR", "ERROR"],
    ["ERROR", "BLOCKED", "BLOCKED"],
    ["BLOCKED", "BLOCKED", "BLOCKED"],
  ];
  test.each(table)("%s and %s → %s", (a, b, expected) => {
    for (const advisory of [null, ...verdicts]) {
      const more = advisory === null ? [] : [judge(advisory, { required: false })];
      expect(panelVerdict([judge(a), judge(b), ...more]).verdict).toBe(expected);
      expect(panelVerdict([...more, judge(b), judge(a)]).verdict).toBe(expected);
    }
  });

  test("nobody required took part → ERROR", () => {
    expect(panelVerdict([]).verdict).toBe("ERROR");
    for (const verdict of verdicts) expect(panelVerdict([judge(verdict, { required: false })]).verdict).toBe("ERROR");
  });

  test("it says who, and why", () => {
    const { reason } = panelVerdict([judge("PASS"), judge("ERROR", { name: "design", reason: "It timed out." })]);
    expect(reason).toBe("design: It timed out.");
  });
});

describe("a PASS needs proof", () => {
  const pass = { verdict: "PASS", reason: "r" } as const;
  const facts = (gates: Verification["gates"], changes: Partial<Verification> = {}): Verification => ({
    tree: "t",
    breaches: [],
    gates,
    ...changes,
  });
  const prove = (verification: Verification | null, requiredGates: readonly string[] = [], uncovered: string[] = []) =>
    provePass(pass, { verification, requiredGates, uncovered }).verdict;

  test.each([
    // state | no list of required gates | this gate is required | another one is
    ["passed", "PASS", "PASS", "PASS"],
    ["failed", "NEEDS_WORK", "NEEDS_WORK", "PASS"],
    ["broken", "ERROR", "ERROR", "PASS"],
    ["skipped", "PASS", "PASS", "PASS"],
    ["unverified", "PASS", "ERROR", "PASS"],
  ] as const)("%s: %s, required %s, optional %s", (state, any, required, optional) => {
    expect(prove(facts([gate(state)]))).toBe(any);
    expect(prove(facts([gate(state)]), ["test"])).toBe(required);
    expect(prove(facts([gate(state), gate("passed", { name: "types" })]), ["types"])).toBe(optional);
  });

  test("every state of a gate stands in the table", () => {
    expect(gateStates).toEqual(["passed", "failed", "broken", "skipped", "unverified"]);
  });

  test("no gate at all allows it, a required one that is missing does not", () => {
    expect(prove(facts([]))).toBe("PASS");
    expect(prove(facts([gate("passed")]), ["lint"])).toBe("ERROR");
    expect(prove(null)).toBe("ERROR");
  });

  test("what failed before the change does not hold it up", () => {
    expect(prove(facts([gate("failed", { knownRed: true })]), ["test"])).toBe("PASS");
  });

  test("what nobody judged, and what breaks the policy, holds it up", () => {
    const ruling = provePass(pass, {
      verification: facts([]),
      requiredGates: [],
      uncovered: ["a", "b", "c", "d", "e", "f"],
    });
    expect(ruling).toEqual({
      verdict: "BLOCKED",
      reason: "Not all of the change was judged: a, b, c, d, e and 1 more.",
    });
    expect(prove(facts([gate("passed")], { breaches: [breach] }))).toBe("NEEDS_WORK");
  });

  test("the strictest lack decides", () => {
    const all = facts([gate("failed"), gate("broken", { name: "lint" })], { breaches: [breach] });
    expect(prove(all, [], ["a"])).toBe("BLOCKED");
    expect(prove(all)).toBe("ERROR");
  });

  test("it never makes a verdict milder", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...verdicts),
        fc.array(fc.constantFrom(...gateStates)),
        fc.array(fc.string()),
        (verdict, states, uncovered) => {
          const verification = facts(states.map((state) => gate(state)));
          const proven = provePass({ verdict, reason: "r" }, { verification, requiredGates: [], uncovered });
          if (verdict !== "PASS") expect(proven).toEqual({ verdict, reason: "r" });
          else
            expect(proven.verdict === "PASS").toBe(
              uncovered.length === 0 && !states.some((s) => s === "failed" || s === "broken"),
            );
        },
      ),
    );
  });
});
