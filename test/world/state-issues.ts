import type { Pull } from "./state-pulls.ts";

/** Issues and pull requests share numbers, comments, labels and reactions, as on GitHub. */
export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  /** GitHub itself sends null for an empty body. */
  body: string | null;
  /** null: a deleted account. */
  readonly login: string | null;
  /** Names as the repository's labels are written. */
  readonly labels: string[];
  readonly assignees: string[];
  state: "open" | "closed";
  locked: boolean;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  readonly comments: Comment[];
  readonly reactions: Reaction[];
  readonly events: IssueEvent[];
  readonly pull: Pull | null;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface Comment {
  readonly id: number;
  /** `ghost`: a deleted account. */
  readonly login: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
}

export interface Reaction {
  readonly id: number;
  readonly login: string;
  readonly content: string;
  readonly createdAt: string;
}

/** One line of the timeline; comments are no events. */
export interface IssueEvent {
  readonly id: number;
  readonly event: string;
  readonly login: string;
  readonly createdAt: string;
  /** What GitHub adds for this kind of event. */
  readonly more: Readonly<Record<string, unknown>>;
}
