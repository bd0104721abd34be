/** The least permission a person may need, in rising order. */
export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export const permissions: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The repository a chain belongs to. Ids are GitHub's; names can change, ids can not. */
export interface RepositoryRef {
  readonly installationId: number;
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
}

/** The issue or pull request a chain is about. */
export interface Item {
  readonly kind: "issue" | "pull-request";
  readonly number: number;
}

export interface Person {
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization" | "Mannequin" | "unknown";
}

/** The untrusted text that a chain works from, as it stood in the trigger's payload. */
export interface Brief {
  readonly title: string;
  readonly body: string;
  /** Words behind the command; empty for a label. */
  readonly instructions: string;
  readonly author: string | null;
  readonly url: string;
}

/** Where GitHub shows that the trigger was seen: an 👀 goes here. */
export type SeenAt =
  | { readonly kind: "issue"; readonly number: number }
  | { readonly kind: "comment"; readonly id: number }
  | { readonly kind: "review-comment"; readonly id: number }
  | { readonly kind: "nowhere" };

/** A GitHub event that a permitted person caused and that asks for work. */
export interface Trigger {
  /** Hook and delivery id: the same pair never makes two chains. */
  readonly hookId: string;
  readonly deliveryId: string;
  readonly cause: "label" | "command" | "auto" | "check";
  readonly kind: ChainKind;
  readonly repository: RepositoryRef;
  readonly item: Item;
  readonly person: Person;
  readonly brief: Brief;
  /** The label that asked, else absent: it is taken off when the chain starts. */
  readonly label?: string;
  /** The comment whose command asked, else null. */
  readonly commentId: number | null;
  readonly seenAt: SeenAt;
  /** For a judge chain: the pinned head, when the payload holds it. */
  readonly headSha: string | null;
  /** When GitHub sent the event: ISO 8601. */
  readonly at: string;
}

export type ChainKind = "implement" | "judge";
