import type { ChainEvent, Judged, TurnFinished, Verified } from "../../src/domain/event.ts";
import type { GateResult } from "../../src/domain/gate-result.ts";
import type { Decision } from "../../src/domain/step.ts";
import type { Trigger } from "../../src/domain/trigger.ts";
import type { JudgeResult, Verdict } from "../../src/domain/verdict.ts";
import { type ChainView, viewChain } from "../../src/text/chain-view.ts";

export const chain = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

export const trigger: Trigger = {
  hookId: "1",
  deliveryId: "d1",
  cause: "label",
  kind: "implement",
  repository: { installationId: 1, id: 2, owner: "octo-org", name: "clock-words", defaultBranch: "main" },
  item: { kind: "issue", number: 7 },
  person: { login: "maintainer", type: "User" },
  brief: {
    title: "Say hours",
    body: "Please say hours. cc @everyone, fixes #1\n\n```\n</details>\n```",
    instructions: "",
    author: "contributor",
    url: "https://github.com/octo-org/clock-words/issues/7",
  },
  commentId: null,
  seenAt: { kind: "issue", number: 7 },
  headSha: null,
  at: "2026-01-01T00:00:00Z",
};

const usage = { calls: 3, inputTokens: 1000, outputTokens: 234, cachedInputTokens: 0, usd: 0.0123 };

export const prepared: ChainEvent = {
  kind: "prepared",
  baseTree: "base",
  mergeBase: "c0",
  headTree: "base",
  setupSeconds: 0.2,
};

export const turn = (change: Partial<TurnFinished> = {}): TurnFinished => ({
  kind: "turn-finished",
  run: 1,
  turn: 1,
  purpose: "write",
  end: "completed",
  reason: "the engine finished",
  runStartTree: "base",
  startTree: "base",
  tree: "t1",
  netChange: true,
  artifact: { kind: "missing" },
  usage,
  seconds: 12,
  interrupted: 0,
  ...change,
});

export const gate = (change: Partial<GateResult> = {}): GateResult => ({
  name: "test",
  command: "npm test",
  state: "passed",
  reason: "exit code 0",
  exitCode: 0,
  seconds: 1.5,
  output: "",
  flaky: false,
  selfChanged: false,
  knownRed: false,
  ...change,
});

export const verified = (gates: readonly GateResult[], tree = "t1", run: 1 | 2 = 1): Verified => ({
  kind: "verified",
  run,
  verification: { tree, breaches: [], gates },
  seconds: 2,
});

export const judged = (
  verdict: Verdict,
  change: Partial<JudgeResult> = {},
  { tree = "t1", run = 1 }: { readonly tree?: string; readonly run?: 1 | 2 } = {},
): Judged => ({
  kind: "judged",
  run,
  round: {
    number: run,
    verdict,
    reason: `the judges say ${verdict}`,
    binding: { mergeBase: "c0", headTree: tree, rules: "r" },
    judges: [
      {
        name: "code",
        required: true,
        model: "model-1",
        verdict,
        reason: "as said",
        summary: "What the judge saw.",
        evidence: "",
        requiredFixes: [],
        findings: [],
        calls: 1,
        seconds: 3,
        ...change,
      },
    ],
    uncovered: [],
  },
  usage,
  seconds: 3,
});

export function view(events: readonly ChainEvent[], change: Partial<ChainView> = {}): ChainView {
  const decision: Decision = { step: { kind: "verify", run: 1 }, reason: "The tree changed." };
  return {
    ...viewChain({
      chain,
      trigger,
      circumstances: {
        isolation: "bubblewrap",
        recordedModel: false,
        implementerModel: "model-1",
        engine: "builtin",
        runUrl: null,
      },
      timeline: events.map((event) => ({ at: new Date(0), event })),
      decision,
      ahead: null,
    }),
    ...change,
  };
}
