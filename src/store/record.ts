import type { ChainEvent } from "../domain/event.ts";
import type { Decision } from "../domain/step.ts";
import type { Trigger } from "../domain/trigger.ts";

/** One event of a chain as it is stored. */
export interface RecordedEvent {
  /** From 0, without gaps. */
  readonly sequence: number;
  /** What it was appended under: a repeat of the same key changes nothing. */
  readonly key: string;
  readonly at: Date;
  readonly event: ChainEvent;
}

export interface ChainRow {
  readonly id: string;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
}

/** A verified, relevant delivery, as the door stores it before it replies. */
export interface Delivery {
  readonly hookId: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: unknown;
  readonly receivedAt: Date;
}

/** The record: what happened, what was decided, and what was made. Append-only but for the slot and the outcome. */
export interface Records {
  /** Stores a delivery once; a repeat of (hook, delivery) is ignored. */
  storeDelivery(delivery: Delivery): Promise<"stored" | "duplicate">;
  /**
   * Hands undone deliveries, oldest first, to `handle`, each in a transaction that locks its row; a handler that
   * rejects leaves its row for a later try with back-off, at most `triesMax` times, then the row is kept as failed.
   * Returns how many were taken.
   */
  drainDeliveries(limit: number, handle: (delivery: Delivery) => Promise<void>): Promise<number>;
  /**
   * Opens a chain and takes its item's one slot. The same (hook, delivery) gets the same chain again ("exists").
   * "busy" names the chain that holds the slot.
   */
  openChain(
    id: string,
    trigger: Trigger,
    pinned: unknown,
  ): Promise<{ readonly kind: "opened" | "exists" | "busy"; readonly chain: string }>;
  /** Rules, settings and texts pinned at the trigger. */
  readPinned(chain: string): Promise<unknown>;
  readChain(chain: string): Promise<ChainRow | null>;
  /** Chain that holds the slot of an item, or null. */
  runningChain(repositoryId: number, itemNumber: number): Promise<string | null>;
  lastChain(repositoryId: number, itemNumber: number): Promise<string | null>;
  /** The chain of the same item that was opened before this one, or null. */
  chainBefore(chain: string): Promise<string | null>;
  /** Appends once for each key; a repeat returns the first one's sequence and changes nothing. */
  appendEvent(chain: string, key: string, event: ChainEvent): Promise<number>;
  readEvents(chain: string): Promise<readonly RecordedEvent[]>;
  /** Stores a decision for the state after `sequence`; where one stands already, that one is returned. */
  recordDecision(chain: string, sequence: number, decision: Decision, version: string): Promise<Decision>;
  /** The decision that was stored last, or null. */
  lastDecision(chain: string): Promise<Decision | null>;
  /** Frees the slot and sets the outcome. Repeating it changes nothing. */
  endChain(chain: string, outcome: string): Promise<void>;
  /** Chains of a repository that were opened within the last 24 hours, by the database's clock. */
  chainsOfDay(repositoryId: number): Promise<number>;
  /** Chains that wait or run before this one: in its repository and in all. */
  chainsAhead(chain: string): Promise<{ readonly inRepository: number; readonly inAll: number }>;
  /** Large values (patches, sessions, logs), stored compressed; a repeat of the name overwrites. */
  putBlob(chain: string, name: string, bytes: Uint8Array): Promise<void>;
  getBlob(chain: string, name: string): Promise<Uint8Array | null>;
  /**
   * Spending. `reserve` writes the most a call may cost before it is forwarded; `settle` replaces it with what was
   * used. Unsettled rows count in full.
   */
  reserveSpending(chain: string, call: SpendingReservation): Promise<string>;
  settleSpending(reservation: string, used: SpendingUsed): Promise<void>;
  readSpending(
    chain: string,
  ): Promise<{ readonly tokens: number; readonly usd: number | null; readonly calls: number }>;
}

export interface SpendingReservation {
  readonly role: string;
  readonly run: number;
  readonly turn: number;
  readonly model: string;
  readonly tokensMax: number;
  readonly usdMax: number | null;
}

export interface SpendingUsed {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly usd: number | null;
}
