import type { BareGit } from "./git.ts";

/** A person or bot of the world. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
}

export interface Reaction {
  readonly id: number;
  readonly login: string;
  readonly content: string;
}

export interface Comment {
  readonly id: number;
  readonly login: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
}

export interface Pull {
  headRef: string;
  /** Another repository for a fork, null for a deleted one. */
  headRepository: Repository | null;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  merged: boolean;
  readonly requestedReviewers: string[];
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  /** GitHub itself sends null for an empty body. */
  body: string | null;
  /** null: a deleted account. */
  readonly login: string | null;
  readonly labels: string[];
  state: "open" | "closed";
  locked: boolean;
  readonly createdAt: string;
  updatedAt: string;
  readonly comments: Comment[];
  readonly reactions: Reaction[];
  pull: Pull | null;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  externalId: string | null;
  status: string;
  conclusion: string | null;
  detailsUrl: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: unknown[];
}

export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  archived: boolean;
  defaultBranch: string;
  draftsSupported: boolean;
  readonly git: BareGit;
  readonly roles: Map<string, Role>;
  readonly issues: Map<number, Issue>;
  readonly labels: Set<string>;
  readonly checkRuns: CheckRun[];
}

export interface State {
  readonly accounts: Map<string, Account>;
  readonly repositories: Repository[];
  /** The next id of anything: ids only grow, as on GitHub. */
  nextId(): number;
  now(): string;
  account(login: string): Account;
}

export function openState(now: () => Date, botLogin: string): State {
  let id = 1000;
  const accounts = new Map<string, Account>();
  const state: State = {
    accounts,
    repositories: [],
    nextId: () => ++id,
    now: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z"),
    account(login) {
      const known = accounts.get(login.toLowerCase());
      if (known !== undefined) return known;
      const made: Account = { id: state.nextId(), login, type: login === botLogin ? "Bot" : "User" };
      accounts.set(login.toLowerCase(), made);
      return made;
    },
  };
  return state;
}

export function findRepository(state: State, owner: string, name: string): Repository | null {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  return state.repositories.find((item) => same(item.owner, owner) && same(item.name, name)) ?? null;
}

/** Labels are the same in any case. */
export const hasLabel = (labels: Iterable<string>, label: string): boolean =>
  [...labels].some((item) => item.toLowerCase() === label.toLowerCase());
