import type { Rules } from "./rules.ts";
import type { WrittenConfig, WrittenTrigger } from "./written.ts";

/** The one place of the defaults: what a repository without any configuration runs on. */
export const defaultRules: Rules = {
  trigger: { label: "gavel", permission: "write", bots: [], commandPrefix: "optional" },
  approval: "never",
  setup: [],
  implement: {
    engine: "default",
    model: "default",
    instructions: "",
    maxRevisions: 1,
    selfReviewIterationsMax: 3,
    fixTurns: 5,
    timeoutMinutes: 30,
  },
  gates: { detect: true, required: [], run: [] },
  judges: [
    judgeRule({ name: "code", rubrics: ["correctness", "tests", "security", "minimum-diff", "over-engineering"] }),
    judgeRule({ name: "design", rubrics: ["design"], when: ["**/*.{tsx,jsx,vue,svelte,css,scss,html}"] }),
  ],
  judge: {
    auto: [],
    autoFor: "members",
    inlineCommentsMax: 20,
    errorConclusion: "action_required",
    gates: "members",
    ignore: [],
  },
  publish: {
    branch: "gavel/{number}-{slug}",
    base: null,
    signOff: false,
    labels: [],
    reviewers: [],
    closeIssue: true,
  },
  paths: { deny: [], allow: [] },
  budget: { usdPerChain: 5, tokensPerChain: 4_000_000, minutesPerChain: 90, chainsPerDay: 50 },
};

/** What is run on, out of what was written: every value is there, in our own words. */
export function normalize(written: WrittenConfig): Rules {
  const d = defaultRules;
  const { implement, gates, judge, publish, paths, budget } = written;
  const base = publish?.base ?? "default";
  return {
    trigger: normalizeTrigger(written.trigger ?? {}),
    approval: written.approval ?? d.approval,
    setup: written.setup ?? d.setup,
    implement: {
      engine: implement?.engine ?? d.implement.engine,
      model: implement?.model ?? d.implement.model,
      instructions: implement?.instructions ?? d.implement.instructions,
      maxRevisions: implement?.max_revisions ?? d.implement.maxRevisions,
      selfReviewIterationsMax: implement?.self_review?.max_iterations ?? d.implement.selfReviewIterationsMax,
      fixTurns: implement?.fix_turns ?? d.implement.fixTurns,
      timeoutMinutes: implement?.timeout_minutes ?? d.implement.timeoutMinutes,
    },
    gates: {
      detect: gates?.detect ?? d.gates.detect,
      required: gates?.required ?? d.gates.required,
      run: (gates?.run ?? []).map(gateRule),
    },
    judges: written.judges?.map(judgeRule) ?? d.judges,
    judge: {
      auto: judge?.auto ?? d.judge.auto,
      autoFor: judge?.auto_for ?? d.judge.autoFor,
      inlineCommentsMax: judge?.inline_comments_max ?? d.judge.inlineCommentsMax,
      errorConclusion: judge?.error_conclusion ?? d.judge.errorConclusion,
      gates: judge?.gates ?? d.judge.gates,
      ignore: judge?.ignore ?? d.judge.ignore,
    },
    publish: {
      branch: publish?.branch ?? d.publish.branch,
      base: base === "default" ? null : base,
      signOff: publish?.sign_off ?? d.publish.signOff,
      labels: publish?.labels ?? d.publish.labels,
      reviewers: publish?.reviewers ?? d.publish.reviewers,
      closeIssue: publish?.close_issue ?? d.publish.closeIssue,
    },
    paths: { deny: paths?.deny ?? d.paths.deny, allow: paths?.allow ?? d.paths.allow },
    budget: {
      usdPerChain: budget?.usd_per_chain ?? d.budget.usdPerChain,
      tokensPerChain: budget?.tokens_per_chain ?? d.budget.tokensPerChain,
      minutesPerChain: budget?.minutes_per_chain ?? d.budget.minutesPerChain,
      chainsPerDay: budget?.chains_per_day ?? d.budget.chainsPerDay,
    },
  };
}

export function normalizeTrigger(written: WrittenTrigger): Rules["trigger"] {
  const d = defaultRules.trigger;
  return {
    label: written.label ?? d.label,
    permission: written.permission ?? d.permission,
    bots: written.bots ?? d.bots,
    commandPrefix: written.command_prefix ?? d.commandPrefix,
  };
}

type WrittenGate = NonNullable<NonNullable<WrittenConfig["gates"]>["run"]>[number];
type WrittenJudge = NonNullable<WrittenConfig["judges"]>[number];

function gateRule(written: WrittenGate): Rules["gates"]["run"][number] {
  return {
    name: written.name,
    command: written.command,
    fix: written.fix ?? null,
    timeoutMinutes: written.timeout_minutes ?? 10,
    workingDirectory: written.working_directory ?? "",
    when: written.when ?? [],
    env: Object.fromEntries(Object.entries(written.env ?? {}).map(([key, value]) => [key, String(value)])),
  };
}

function judgeRule(written: WrittenJudge): Rules["judges"][number] {
  return {
    name: written.name,
    rubrics: written.rubrics,
    when: written.when ?? [],
    required: written.required ?? true,
    engine: written.engine ?? "default",
    model: written.model ?? "default",
    instructions: written.instructions ?? "",
    timeoutMinutes: written.timeout_minutes ?? 10,
  };
}
