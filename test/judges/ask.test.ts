import { describe, expect, it } from "vitest";
import type { JudgeRule } from "../../src/config/rules.ts";
import { askJudge } from "../../src/judges/ask.ts";
import { buildPacket } from "../../src/judges/packet.ts";
import { type Answer, answerError, answerMessage, hang, messageOf, textOf, toolOf } from "../gateway/fake-anthropic.ts";
import { caller, openBoth, wide } from "../gateway/with-gateway.ts";
import { judgeRule, packetInput } from "./samples.ts";

const pass = { verdict: "PASS", summary: "Good.", evidence: "Read it.", required_fixes: [], findings: [] };
const major = {
  id: "F1",
  severity: "major",
  path: "src/a.ts",
  line: 1,
  summary: "No test",
  detail: "",
  suggestion: null,
};

const says = (value: unknown): Answer =>
  answerMessage(messageOf([textOf(typeof value === "string" ? value : JSON.stringify(value))]));
const overloaded = answerError(529, "overloaded");
const refuses = answerMessage({ ...messageOf([]), stop_reason: "refusal" });
const cutOff = answerMessage({ ...messageOf([textOf('{"verdict":"PASS","summary":"Go')]), stop_reason: "max_tokens" });

async function judge(
  script: readonly Answer[],
  options: { rule?: Partial<JudgeRule>; signal?: AbortSignal; tokensMax?: number } = {},
) {
  const { access, provider } = await openBoth(script, { ...wide, tokensMax: options.tokensMax ?? wide.tokensMax });
  const result = await askJudge({
    rule: judgeRule(options.rule ?? {}),
    packet: buildPacket(packetInput({})),
    access,
    signal: options.signal ?? new AbortController().signal,
    paths: null,
    backOffSeconds: 0.01,
  });
  return { result, calls: provider.calls.map((call) => call.body) };
}

describe("one judge", () => {
  it("passes a change", async () => {
    const { result, calls } = await judge([says(pass)]);
    expect(result).toMatchObject({
      name: "code",
      required: true,
      verdict: "PASS",
      summary: "Good.",
      evidence: "Read it.",
      calls: 1,
    });
    expect(calls).toHaveLength(1);
    const [call = ""] = calls;
    for (const words of ["### Rubric: correctness", "+new line", "You judge one change"])
      expect(call).toContain(words.replaceAll('"', '\\"'));
  });

  it.each<readonly [string, readonly Answer[], string, number, RegExp]>([
    ["PASS with a major finding", [says({ ...pass, findings: [major] })], "NEEDS_WORK", 1, /./],
    ["NEEDS_WORK", [says({ ...pass, verdict: "NEEDS_WORK", findings: [major] })], "NEEDS_WORK", 1, /./],
    ["BLOCKED", [says({ ...pass, verdict: "BLOCKED", summary: "Which of two?" })], "BLOCKED", 1, /./],
    ["a report as text", [says("### SUMMARY\nPASS\n\n### EVIDENCE\nRead it.")], "PASS", 1, /./],
    [
      "two SUMMARY headings, without another question",
      [says("### SUMMARY\nPASS\n\n### SUMMARY\nPASS")],
      "BLOCKED",
      1,
      /two SUMMARY/,
    ],
    ["malformed, then good", [says("I think it is a PASS"), says(pass)], "PASS", 2, /./],
    ["malformed twice", [says("PASS/FAIL"), says("not sure")], "BLOCKED", 2, /not clear/],
    [
      "NEEDS_WORK without findings, twice",
      [says({ ...pass, verdict: "NEEDS_WORK" }), says({ ...pass, verdict: "NEEDS_WORK" })],
      "BLOCKED",
      2,
      /neither/,
    ],
    ["cut off, then good", [cutOff, says(pass)], "PASS", 2, /./],
    ["empty twice", [says(""), says("")], "ERROR", 2, /no answer/],
    ["empty, then malformed", [says(""), says("review failed")], "BLOCKED", 2, /not clear/],
    ["malformed, then empty", [says("review failed"), says("")], "ERROR", 2, /no answer/],
    ["refused", [refuses], "ERROR", 1, /refused/],
    ["overloaded three times", [overloaded, overloaded, overloaded], "ERROR", 3, /HTTP 529/],
    ["overloaded twice, then good", [overloaded, overloaded, says(pass)], "PASS", 3, /./],
    ["overloaded when asked again", [says("?"), overloaded, overloaded, overloaded], "ERROR", 4, /HTTP 529/],
    ["a bad request, not tried again", [answerError(400, "bad request")], "ERROR", 1, /HTTP 400/],
    [
      "an error text with status 200",
      [says("Error: overloaded_error"), says("Error: overloaded_error")],
      "BLOCKED",
      2,
      /not clear/,
    ],
  ])("%s", async (_, script, verdict, calls, reason) => {
    const { result, calls: made } = await judge(script);
    expect(result).toMatchObject({ verdict, calls });
    expect(made).toHaveLength(calls);
    if (reason.source !== ".") expect(result.reason).toMatch(reason);
  });

  it.each([
    ["claude-sonnet-4-5-20250929", textOf(JSON.stringify(pass)), '"output_config"'],
    ["recorded", textOf(JSON.stringify(pass)), '"verdict"'],
    ["claude-sonnet-4-20250514", toolOf("t1", "json", pass), '"tool_choice"'],
    ["claude-sonnet-4-20250514", textOf(JSON.stringify(pass)), '"tool_choice"'],
  ])("is understood in the form that %s answers in (%#)", async (model, content, asked) => {
    const { gateway, provider } = await openBoth([answerMessage(messageOf([content]))]);
    const access = await gateway.grant({ ...caller, role: "judge" }, model, {
      ...wide,
      usdMax: Number.POSITIVE_INFINITY,
    });
    const packet = buildPacket(packetInput({}));
    const { signal } = new AbortController();
    const result = await askJudge({ rule: judgeRule({}), packet, access, signal, paths: null });
    expect(result).toMatchObject({ verdict: "PASS", model, calls: 1 });
    expect(provider.calls[0]?.body).toContain(asked);
  });

  it("is asked again with the same packet and the exact complaint", async () => {
    const { calls } = await judge([says("I think it is a PASS"), says(pass)]);
    const [first, second] = calls.map((body) => JSON.stringify(JSON.parse(body)));
    expect(first).not.toContain("could not be used");
    expect(second).toContain("could not be used: There is no heading SUMMARY");
    expect(second).toContain("+new line");
    expect(second).not.toContain("I think it is a PASS");
  });

  it("is given up after its time limit", async () => {
    const { result } = await judge([hang], { rule: { timeoutMinutes: 0.005 } });
    expect(result).toMatchObject({ verdict: "ERROR", calls: 1 });
    expect(result.reason).toContain("within 0.005 minutes");
  });

  it("stops when it is told to", async () => {
    const controller = new AbortController();
    const stopping: Answer = () => controller.abort();
    const { result } = await judge([stopping], { signal: controller.signal });
    expect(result).toMatchObject({ verdict: "ERROR", reason: "The judging was cancelled." });
    expect((await judge([], { signal: controller.signal })).result).toMatchObject({ verdict: "ERROR", calls: 0 });
  });

  it("says so when the budget is spent, and does not try again", async () => {
    const { result, calls } = await judge([says(pass)], { tokensMax: 0 });
    expect(result).toMatchObject({ verdict: "ERROR", calls: 1 });
    expect(result.reason).toContain("budget spent: 0 of 0 tokens");
    expect(calls).toHaveLength(0);
  });
});
