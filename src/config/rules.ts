import type { Permission } from "../domain/trigger.ts";

export interface GateRule {
  readonly name: string;
  readonly command: string;
  readonly fix: string | null;
  readonly timeoutMinutes: number;
  readonly workingDirectory: string;
  /** Globs; empty: always. */
  readonly when: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface JudgeRule {
  readonly name: string;
  readonly rubrics: readonly string[];
  readonly when: readonly string[];
  readonly required: boolean;
  readonly engine: string;
  readonly model: string;
  readonly instructions: string;
  readonly timeoutMinutes: number;
}

/** The repository's configuration after defaults and merging: what a chain runs on. */
export interface Rules {
  readonly trigger: {
    readonly label: string;
    readonly permission: Exclude<Permission, "none" | "read">;
    readonly bots: readonly string[];
    readonly commandPrefix: "optional" | "required";
  };
  readonly approval: "never" | "outside-contributors" | "always";
  readonly setup: readonly string[];
  readonly implement: {
    readonly engine: string;
    readonly model: string;
    readonly instructions: string;
    readonly maxRevisions: 0 | 1;
    readonly selfReviewIterationsMax: number;
    readonly fixTurns: number;
    readonly timeoutMinutes: number;
  };
  readonly gates: { readonly detect: boolean; readonly required: readonly string[]; readonly run: readonly GateRule[] };
  readonly judges: readonly JudgeRule[];
  readonly judge: {
    readonly auto: readonly ("opened" | "ready_for_review" | "synchronize")[];
    readonly autoFor: "members" | "everyone";
    readonly inlineCommentsMax: number;
    readonly errorConclusion: "action_required" | "neutral";
    readonly gates: "members" | "never" | "always";
    readonly ignore: readonly string[];
  };
  readonly publish: {
    readonly branch: string;
    /** null: the default branch. */
    readonly base: string | null;
    readonly signOff: boolean;
    readonly labels: readonly string[];
    readonly reviewers: readonly string[];
    readonly closeIssue: boolean;
  };
  readonly paths: { readonly deny: readonly string[]; readonly allow: readonly string[] };
  readonly budget: {
    readonly usdPerChain: number;
    readonly tokensPerChain: number;
    readonly minutesPerChain: number;
    readonly chainsPerDay: number;
  };
}
