import type { Usage } from "../domain/usage.ts";

/** Who calls a model, for accounting and for finding the place in a recording. */
export interface Caller {
  readonly chain: string;
  readonly role: "implementer" | "judge";
  /** 0 where a pull request's head is judged. */
  readonly run: 0 | 1 | 2;
  /** Turn of the run, or 0 for a judge. */
  readonly turn: number;
  /** Engine's or judge's name. */
  readonly name: string;
}

export interface SpendingLimits {
  /** Whole chain, US dollars. */
  readonly usdMax: number;
  /** Whole chain, input and output tokens together. */
  readonly tokensMax: number;
}

/** What one turn or one judge gets: an address and a throw-away token, good for nothing else. */
export interface ModelAccess {
  /** For example `http://127.0.0.1:40123/anthropic/v1`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly model: string;
  /** Used by this access so far. */
  usage(): Usage;
  /** Set as soon as a limit cut a call off: which, and what was spent. */
  budgetSpent(): string | null;
  /** The token is worthless afterwards. */
  revoke(): void;
}

/** The client side of the gateway: all that engines and judges know of it. */
export interface Gateway {
  grant(caller: Caller, model: string, limits: SpendingLimits): Promise<ModelAccess>;
  close(): Promise<void>;
}
