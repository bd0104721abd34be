import { describe, expect, it } from "vitest";
import type { JudgeRule } from "../../src/config/rules.ts";
import type { GateResult } from "../../src/domain/gate-result.ts";
import type { Round } from "../../src/domain/verdict.ts";
import { judgeChange } from "../../src/judges/panel.ts";
import { buildPacket } from "../../src/judges/packet.ts";
import { type Answer, answerMessage, fakeModel, messageOf, textOf } from "../gateway/fake-anthropic.ts";
import { caller, openBoth, wide } from "../gateway/with-gateway.ts";
import { diffOf, fileOf, gateOf, judgeRule, packetInput } from "./samples.ts";

const says = (value: object): Answer => answerMessage(messageOf([textOf(JSON.stringify(value))]));
const pass = { verdict: "PASS", summary: "Good.", evidence: "", required_fixes: [], findings: [] };
const minor = { id: "F1", severity: "minor", path: null, line: null, summary: "A name", detail: "", suggestion: null };

interface Case {
  readonly rules: readonly JudgeRule[];
  /** By judge; a judge without one can not be started. */
  readonly answers: Readonly<Record<string, object>>;
  readonly paths?: readonly string[];
  readonly gates?: readonly GateResult[];
  readonly requiredGates?: readonly string[];
  readonly tokensMax?: (rule: JudgeRule) => number;
}

async function judge(one: Case): Promise<{ round: Round; revoked: number }> {
  const paths = one.paths ?? ["src/a.ts"];
  const diff = diffOf(...paths.map((path) => fileOf({ path })));
  let revoked = 0;
  const round = await judgeChange({
    rules: one.rules,
    packetFor: (rule) => buildPacket(packetInput({ diff, tokensMax: one.tokensMax?.(rule) ?? 100_000 })),
    async grant(rule) {
      const answer = one.answers[rule.name];
      if (answer === undefined) throw new Error("no model for this judge");
      const { gateway } = await openBoth([says(answer)]);
      const access = await gateway.grant({ ...caller, role: "judge", name: rule.name }, fakeModel, wide);
      return { ...access, revoke: () => (revoked += 1) && access.revoke() };
    },
    changedPaths: paths,
    signal: new AbortController().signal,
    verification: { tree: "head", breaches: [], gates: one.gates ?? [gateOf({})] },
    requiredGates: one.requiredGates ?? [],
    number: 1,
    binding: { mergeBase: "base", headTree: "head", rules: "r1" },
    backOffSeconds: 0.01,
  });
  return { round, revoked };
}

const code = judgeRule({});
const design = judgeRule({ name: "design", when: ["**/*.css"] });
const advisory = judgeRule({ name: "advice", required: false });

describe("the panel", () => {
  it("passes what its judge passes, minor findings or not", async () => {
    const { round, revoked } = await judge({ rules: [code], answers: { code: { ...pass, findings: [minor] } } });
    expect(round).toMatchObject({
      number: 1,
      verdict: "PASS",
      binding: { mergeBase: "base", headTree: "head", rules: "r1" },
      judges: [{ name: "code", findings: [{ id: "F1" }] }],
      uncovered: [],
    });
    expect(revoked).toBe(1);
  });

  it("asks only judges whose `when` matches", async () => {
    expect(
      (await judge({ rules: [code, design], answers: { code: pass } })).round.judges.map(({ name }) => name),
    ).toEqual(["code"]);
    const blocked = { ...pass, verdict: "BLOCKED", summary: "Which?" };
    const both = await judge({
      rules: [code, design],
      answers: { code: pass, design: blocked },
      paths: ["src/.x/a.css"],
    });
    expect(both.round).toMatchObject({ verdict: "BLOCKED", judges: [{ name: "code" }, { name: "design" }] });
  });

  it("is an ERROR where a required judge could not be started, though another passed", async () => {
    const { round } = await judge({ rules: [code, judgeRule({ name: "second" })], answers: { code: pass } });
    expect(round.verdict).toBe("ERROR");
    expect(round.judges[1]).toMatchObject({ verdict: "ERROR", calls: 0 });
    expect(round.judges[1]?.reason).toContain("no model for this judge");
  });

  it("is an ERROR where nobody took part", async () => {
    expect((await judge({ rules: [], answers: {} })).round).toMatchObject({ verdict: "ERROR", judges: [] });
    expect((await judge({ rules: [design], answers: {} })).round.verdict).toBe("ERROR");
    expect((await judge({ rules: [advisory], answers: { advice: pass } })).round.verdict).toBe("ERROR");
  });

  it("lets advice hold nothing up", async () => {
    const stop = { ...pass, verdict: "BLOCKED", summary: "Which?" };
    expect((await judge({ rules: [code, advisory], answers: { code: pass, advice: stop } })).round.verdict).toBe(
      "PASS",
    );
  });

  it("passes nothing of which a file was not shown to a required judge", async () => {
    const alone = await judge({ rules: [code], answers: { code: pass }, tokensMax: () => 1 });
    expect(alone.round).toMatchObject({ verdict: "BLOCKED", uncovered: ["src/a.ts"] });
    const advised = await judge({
      rules: [code, advisory],
      answers: { code: pass, advice: pass },
      tokensMax: (rule) => (rule.required ? 1 : 100_000),
    });
    expect(advised.round).toMatchObject({ verdict: "BLOCKED", uncovered: ["src/a.ts"] });
    const shared = await judge({
      rules: [code, judgeRule({ name: "second" })],
      answers: { code: pass, second: pass },
      tokensMax: (rule) => (rule.name === "code" ? 1 : 100_000),
    });
    expect(shared.round).toMatchObject({ verdict: "PASS", uncovered: [] });
  });

  it.each([
    ["a required gate failed", gateOf({ state: "failed" })],
    ["a required gate ran nothing", gateOf({ state: "unverified" })],
    ["a required gate is missing", gateOf({ name: "other" })],
  ])("does not pass where %s", async (_, gate) => {
    const { round } = await judge({ rules: [code], answers: { code: pass }, gates: [gate], requiredGates: ["test"] });
    expect(round.verdict).not.toBe("PASS");
  });
});
