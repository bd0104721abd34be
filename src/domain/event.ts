import type { ArtifactReading } from "./artifact.ts";
import type { Breach, Verification } from "./gate-result.ts";
import type { Outcome } from "./outcome.ts";
import type { PublicationForm, TurnPurpose } from "./step.ts";
import type { Person, Trigger } from "./trigger.ts";
import type { Usage } from "./usage.ts";
import type { Round } from "./verdict.ts";

/** What went wrong, why, and the cure; all problems of a preflight are told at once. */
export interface Problem {
  /** Stable and short, for scripts: `engine-unknown`, `permission-missing` … */
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

/** How one engine turn ended. */
export type TurnEnd =
  | "completed"
  | "no-answer"
  | "refused"
  | "limit"
  | "timed-out"
  | "cancelled"
  | "crashed"
  | "could-not-start";

export const turnEnds: readonly TurnEnd[] = [
  "completed",
  "no-answer",
  "refused",
  "limit",
  "timed-out",
  "cancelled",
  "crashed",
  "could-not-start",
];

/** What is pinned when a chain starts and never read again. */
export interface ChainStarted {
  readonly kind: "chain-started";
  readonly chain: string;
  readonly trigger: Trigger;
  readonly approval: "not-needed" | "needed";
}

export interface Announced {
  readonly kind: "announced";
  /** Id of the progress comment; null where the conversation is locked. */
  readonly commentId: number | null;
}

/** Preflight found everything in order, or all that is not. */
export interface Preflighted {
  readonly kind: "preflighted";
  readonly problems: readonly Problem[];
  readonly baseBranch: string;
  readonly baseCommit: string;
  /** Pull-request chains: the pinned head. */
  readonly headCommit: string | null;
  /** Version of rules, rubrics and configuration: a hash. */
  readonly rules: string;
}

export interface Approved {
  readonly kind: "approved";
  readonly by: Person;
}

export interface ApprovalRefused {
  readonly kind: "approval-refused";
  readonly by: Person | null;
  readonly reason: string;
}

export interface Prepared {
  readonly kind: "prepared";
  readonly baseTree: string;
  /** Merge base and head tree of a pull-request chain; for an issue chain both are the base. */
  readonly mergeBase: string;
  readonly headTree: string;
  readonly setupSeconds: number;
}

/** One engine turn: one prompt and its reply. Its tree, not its words, says what was done. */
export interface TurnFinished {
  readonly kind: "turn-finished";
  readonly run: 1 | 2;
  /** From 1 in each run. */
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly end: TurnEnd;
  readonly reason: string;
  /** Tree id when the run began, when the turn began, and after it. */
  readonly runStartTree: string;
  readonly startTree: string;
  readonly tree: string;
  /** The tree differs from the base tree. */
  readonly netChange: boolean;
  /** What the tree held that can never be part of a commit: told by the policy gate. */
  readonly leftOut?: readonly Breach[];
  readonly artifact: ArtifactReading;
  readonly usage: Usage;
  readonly seconds: number;
  /** The turn was repeated after our own process died: how often. */
  readonly interrupted: number;
}

export interface Verified {
  readonly kind: "verified";
  readonly run: 0 | 1 | 2;
  readonly verification: Verification;
  readonly seconds: number;
}

export interface Judged {
  readonly kind: "judged";
  /** The run whose tree was judged; 0 for a pull request's head. */
  readonly run: 0 | 1 | 2;
  readonly round: Round;
  readonly usage: Usage;
  readonly seconds: number;
}

/** What became visible on GitHub. Ids are tried first when the step is repeated. */
export interface Published {
  readonly kind: "published";
  readonly form: PublicationForm;
  readonly outcome: Outcome;
  readonly result: "done" | "refused" | "head-moved";
  readonly reason: string;
  /** Why the chain ended so: the words of the decision to publish. */
  readonly why?: string;
  readonly branch: string | null;
  readonly commits: readonly string[];
  /** The tree of the last commit as GitHub returned it. */
  readonly pushedTree: string | null;
  readonly pullRequest: { readonly number: number; readonly draft: boolean; readonly url: string } | null;
  readonly checkRunId: number | null;
  readonly verdictCommentId: number | null;
}

export interface Closed {
  readonly kind: "closed";
  readonly outcome: Outcome;
}

/** A person's stop, or the end of what the chain works on. Stored by the door, obeyed by the chain. */
export interface StopRequested {
  readonly kind: "stop-requested";
  readonly cause: "command" | "label" | "item-closed" | "item-deleted" | "item-transferred" | "uninstalled";
  readonly by: Person | null;
}

export interface BudgetSpent {
  readonly kind: "budget-spent";
  /** Which limit, what was spent, in words a user may see. */
  readonly reason: string;
}

/** A step could not be performed at all: our own trouble, after its retries. */
export interface StepFailed {
  readonly kind: "step-failed";
  readonly step: string;
  readonly reason: string;
}

/** The record of a chain is a list of these, in order. */
export type ChainEvent =
  | ChainStarted
  | Announced
  | Preflighted
  | Approved
  | ApprovalRefused
  | Prepared
  | TurnFinished
  | Verified
  | Judged
  | Published
  | Closed
  | StopRequested
  | BudgetSpent
  | StepFailed;
