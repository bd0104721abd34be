import type { Repository } from "./state.ts";
import type { Reaction } from "./state-issues.ts";

/** What makes an issue a pull request. */
export interface Pull {
  readonly headRef: string;
  /** Owner of the head, for the label; stays when the fork is deleted. */
  readonly headOwner: string;
  /** Another repository for a fork; null for a deleted one. */
  headRepository: Repository | null;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  merge: { readonly sha: string; readonly login: string; readonly at: string } | null;
  readonly requestedReviewers: string[];
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
}

export interface Review {
  readonly id: number;
  readonly login: string;
  readonly body: string;
  readonly state: "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED";
  readonly commitSha: string;
  readonly submittedAt: string;
}

export type Side = "LEFT" | "RIGHT";

/** Where in the diff a comment stands; without a line it is about the whole file. */
export interface Place {
  readonly path: string;
  readonly line: number | null;
  readonly side: Side;
  readonly startLine: number | null;
  readonly startSide: Side | null;
}

export interface ReviewComment extends Place {
  readonly id: number;
  readonly reviewId: number;
  readonly login: string;
  body: string;
  readonly commitSha: string;
  readonly hunk: string;
  readonly inReplyTo: number | null;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
}
