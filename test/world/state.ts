import type { BareGit } from "./git/bare.ts";
import type { CheckRun, CommitStatus } from "./state-checks.ts";
import type { Issue, Label } from "./state-issues.ts";

/** A person, an organization or a bot. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
}

export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  archived: boolean;
  defaultBranch: string;
  /** False as in private repositories of plans without drafts. */
  draftsSupported: boolean;
  /** Whether GitHub signs the App's commits here; false as on a server without web commit signing. */
  signsCommits: boolean;
  /** The repository that this one was forked from. */
  readonly parent: Repository | null;
  readonly git: BareGit;
  readonly createdAt: string;
  pushedAt: string;
  /** Roles by login in lower case. Who is not listed reads what is public. */
  readonly roles: Map<string, Role>;
  readonly issues: Map<number, Issue>;
  /** Labels by name in lower case. */
  readonly labels: Map<string, Label>;
  readonly checkRuns: CheckRun[];
  /** Check suites of this App, by commit. */
  readonly checkSuites: Map<string, number>;
  readonly statuses: CommitStatus[];
  /** What GitHub answers for a protected branch, by branch. */
  readonly protection: Map<string, Readonly<Record<string, unknown>>>;
  /** Rules of rulesets, by branch. */
  readonly rules: Map<string, readonly Readonly<Record<string, unknown>>[]>;
  /** Heads of the branches as they were last told: what differs was pushed. */
  readonly toldHeads: Map<string, string>;
  /** Commits that GitHub signed. */
  readonly signed: Set<string>;
}

export interface State {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly repositories: Repository[];
  /** The next id of anything: ids only grow, as on GitHub. */
  nextId(): number;
  /** The time as GitHub writes it, in whole seconds. */
  now(): string;
  /** The account of a login, made where there is none yet. */
  account(login: string, type?: Account["type"]): Account;
}

export function openState(now: () => Date): State {
  let id = 1000;
  const accounts = new Map<string, Account>();
  const nextId = (): number => ++id;
  return {
    accounts,
    repositories: [],
    nextId,
    now: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z"),
    account(login, type) {
      const known = accounts.get(login.toLowerCase());
      if (known !== undefined) return known;
      const made: Account = { id: nextId(), login, type: type ?? (login.endsWith("[bot]") ? "Bot" : "User") };
      accounts.set(login.toLowerCase(), made);
      return made;
    },
  };
}

export function findRepository(state: State, owner: string, name: string): Repository | null {
  return state.repositories.find((item) => sameName(item.owner, owner) && sameName(item.name, name)) ?? null;
}

/** Logins, repositories and labels are the same in any case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function roleOf(repository: Repository, login: string): Role {
  if (sameName(login, repository.owner)) return "admin";
  return repository.roles.get(login.toLowerCase()) ?? (repository.isPrivate ? "none" : "read");
}

/** Who a deleted account is shown as; in the API it is null. */
export const ghost = "ghost";

export const fullName = (repository: Repository): string => `${repository.owner}/${repository.name}`;
