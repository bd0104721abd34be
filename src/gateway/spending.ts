/** The most that one call may cost, written down before it is forwarded. */
export interface SpendingReservation {
  readonly role: string;
  readonly run: number;
  readonly turn: number;
  readonly model: string;
  readonly tokensMax: number;
  readonly usdMax: number | null;
}

/** What a call used in the end. */
export interface SpendingUsed {
  /** All input, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that was read from the provider's cache. */
  readonly cachedInputTokens: number;
  readonly usd: number | null;
}

/** A chain's spending so far. Reservations that were never settled count in full. */
export interface Spent {
  readonly tokens: number;
  /** null: a part of it is not known. */
  readonly usd: number | null;
  readonly calls: number;
}

/** The spending book, kept outside so that a crash forgets nothing. */
export interface Spending {
  reserve(chain: string, reservation: SpendingReservation): Promise<string>;
  settle(reservation: string, used: SpendingUsed): Promise<void>;
  read(chain: string): Promise<Spent>;
}
