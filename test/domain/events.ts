import type {
  ChainStarted,
  Closed,
  Judged,
  Preflighted,
  Prepared,
  Published,
  TurnFinished,
  Verified,
} from "../../src/domain/event.ts";
import type { Artifact } from "../../src/domain/artifact.ts";
import type { Breach, GateResult } from "../../src/domain/gate-result.ts";
import type { Policy } from "../../src/domain/policy.ts";
import type { Person } from "../../src/domain/trigger.ts";
import { noUsage } from "../../src/domain/usage.ts";
import type { JudgeResult, Verdict } from "../../src/domain/verdict.ts";

export const policy: Policy = { maxRevisions: 1, fixTurnsMax: 5, requiredGates: [], approval: "not-needed" };

export const maintainer: Person = { login: "maintainer", type: "User" };

export function started(kind: "implement" | "judge" = "implement", approval: Policy["approval"] = "not-needed") {
  return {
    kind: "chain-started",
    chain: "01J",
    approval,
    trigger: {
      hookId: "1",
      deliveryId: "d",
      cause: "label",
      kind,
      repository: { installationId: 1, id: 2, owner: "octo-org", name: "sample", defaultBranch: "main" },
      item: { kind: kind === "implement" ? "issue" : "pull-request", number: 7 },
      person: maintainer,
      brief: { title: "Say hours", body: "", instructions: "", author: "contributor", url: "" },
      commentId: null,
      seenAt: { kind: "nowhere" },
      headSha: null,
      at: "2026-01-01T00:00:00Z",
    },
  } satisfies ChainStarted;
}

export const announced = { kind: "announced", commentId: 1 } as const;

export const preflighted: Preflighted = {
  kind: "preflighted",
  problems: [],
  baseBranch: "main",
  baseCommit: "c0",
  headCommit: null,
  rules: "r",
};

export const prepared: Prepared = {
  kind: "prepared",
  baseTree: "base",
  mergeBase: "c0",
  headTree: "base",
  setupSeconds: 0,
};

export const preparedHead: Prepared = { ...prepared, headTree: "head" };

export function artifact(changes: Partial<Artifact> = {}): TurnFinished["artifact"] {
  return {
    kind: "given",
    artifact: {
      summary: "s",
      filesChanged: [],
      testsRun: [],
      expectedBehavior: "e",
      edgeCases: [],
      risks: [],
      contested: [],
      question: null,
      ...changes,
    },
  };
}

export const asking = artifact({ question: { question: "Which?", readings: ["this", "that"] } });
export const contesting = artifact({ contested: [{ id: "F1", why: "it is right as it is" }] });

/** A completed turn from one tree to another. */
export function turn(run: 1 | 2, from: string, to: string, changes: Partial<TurnFinished> = {}): TurnFinished {
  return {
    kind: "turn-finished",
    run,
    turn: 1,
    purpose: run === 1 ? "write" : "revise",
    end: "completed",
    reason: "",
    runStartTree: from,
    startTree: from,
    tree: to,
    netChange: to !== "base",
    artifact: artifact(),
    usage: noUsage,
    seconds: 0,
    interrupted: 0,
    ...changes,
  };
}

export function gate(state: GateResult["state"], changes: Partial<GateResult> = {}): GateResult {
  return {
    name: "test",
    command: "npm test",
    state,
    reason: "",
    exitCode: null,
    seconds: 0,
    output: "",
    flaky: false,
    selfChanged: false,
    knownRed: false,
    ...changes,
  };
}

export const breach: Breach = { kind: "secret", path: "key.txt", reason: "a secret" };

export function verified(
  run: 0 | 1 | 2,
  tree: string,
  gates: readonly GateResult[] = [gate("passed")],
  breaches: readonly Breach[] = [],
): Verified {
  return { kind: "verified", run, verification: { tree, breaches, gates }, seconds: 0 };
}

export function judge(verdict: Verdict, changes: Partial<JudgeResult> = {}): JudgeResult {
  return {
    name: "code",
    required: true,
    model: "m",
    verdict,
    reason: "because",
    summary: "",
    evidence: "",
    requiredFixes: [],
    findings: [],
    calls: 1,
    seconds: 0,
    ...changes,
  };
}

export function judged(run: 0 | 1 | 2, tree: string, verdict: Verdict, changes: Partial<Judged["round"]> = {}): Judged {
  return {
    kind: "judged",
    run,
    round: {
      number: run,
      verdict,
      reason: "because",
      binding: { mergeBase: "c0", headTree: tree, rules: "r" },
      judges: [judge(verdict)],
      uncovered: [],
      ...changes,
    },
    usage: noUsage,
    seconds: 0,
  };
}

export function published(
  form: Published["form"],
  outcome: Published["outcome"],
  changes: Partial<Published> = {},
): Published {
  return {
    kind: "published",
    form,
    outcome,
    result: "done",
    reason: "",
    branch: null,
    commits: [],
    pushedTree: null,
    pullRequest: null,
    checkRunId: null,
    verdictCommentId: null,
    ...changes,
  };
}

export function closed(outcome: Closed["outcome"]): Closed {
  return { kind: "closed", outcome };
}

export const stop = { kind: "stop-requested", cause: "command", by: maintainer } as const;
export const spent = { kind: "budget-spent", reason: "budget spent" } as const;
export const approved = { kind: "approved", by: { login: "other-maintainer", type: "User" } } as const;
export const refused = { kind: "approval-refused", by: null, reason: "nobody approved it" } as const;

export function failed(step: string) {
  return { kind: "step-failed", step, reason: "no disk" } as const;
}

/** The beginning that every implement chain has, and that of a chain that only judges. */
export const begun = [started(), announced, preflighted, prepared] as const;
export const begunHead = [started("judge"), announced, { ...preflighted, headCommit: "c1" }, preparedHead] as const;
