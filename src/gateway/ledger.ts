import pLimit from "p-limit";
import type { Caller, SpendingLimits } from "./access.ts";
import { whyCut, whyRefused } from "./budget.ts";
import type { Price } from "./price.ts";
import { priceTokens } from "./price.ts";
import type { Spending, Spent } from "./spending.ts";
import type { TokenCount } from "./tokens.ts";
import { allInput, allTokens, noTokens } from "./tokens.ts";

/** A call that has its reservation. */
export interface RunningCall {
  /** What is counted so far; says why the call must be cut off now, or null. */
  count(tokens: TokenCount): string | null;
  counted(): TokenCount;
  /** Replaces the reservation by what was counted. Once; a repeat does nothing. */
  settle(): Promise<void>;
}

export interface Beginning {
  readonly caller: Caller;
  readonly model: string;
  readonly limits: SpendingLimits;
  readonly price: Price | null;
  /** The most that the call may use. */
  readonly most: TokenCount;
}

export interface Ledger {
  /** Writes the reservation, or says why the call may not begin. Rejects when the spending book can not be written. */
  begin(beginning: Beginning): Promise<RunningCall | { readonly refused: string }>;
}

interface Running {
  readonly reserved: Spent;
  counted: TokenCount;
  readonly price: Price | null;
}

interface ChainState {
  /** Reading, reserving and settling of one chain never overlap, or parallel judges would overspend together. */
  readonly lock: ReturnType<typeof pLimit>;
  readonly running: Set<Running>;
  /** Spent by everything but the calls in `running`. */
  settled: Spent;
}

const add = (a: Spent, b: Spent, sign: 1 | -1): Spent => ({
  tokens: Math.max(0, a.tokens + sign * b.tokens),
  usd: a.usd === null || b.usd === null ? null : Math.max(0, a.usd + sign * b.usd),
  calls: a.calls + sign * b.calls,
});

const spentOf = (tokens: TokenCount, price: Price | null): Spent => ({
  tokens: allTokens(tokens),
  usd: priceTokens(price, tokens),
  calls: 1,
});

/**
 * Keeps chains within their limits while calls run. Calls of this process count with what they have used so far, so
 * that parallel judges don't refuse each other; reservations that a dead process left count in full.
 */
export function openLedger(spending: Spending): Ledger {
  const chains = new Map<string, ChainState>();

  const total = (state: ChainState): Spent =>
    [...state.running].reduce((sum, call) => add(sum, spentOf(call.counted, call.price), 1), state.settled);

  return {
    async begin({ caller, model, limits, price, most }) {
      const state = chains.get(caller.chain) ?? {
        lock: pLimit(1),
        running: new Set<Running>(),
        settled: { tokens: 0, usd: 0, calls: 0 },
      };
      chains.set(caller.chain, state);
      const forget = () => {
        if (state.running.size === 0 && state.lock.activeCount + state.lock.pendingCount === 0)
          chains.delete(caller.chain);
      };

      const begun = state.lock(async (): Promise<{ refused: string } | { call: Running; id: string }> => {
        const book = await spending.read(caller.chain);
        state.settled = [...state.running].reduce((sum, call) => add(sum, call.reserved, -1), book);
        const refused = whyRefused(model, total(state), limits, price);
        if (refused !== null) return { refused };
        const call: Running = { reserved: spentOf(most, price), counted: noTokens, price };
        const id = await spending.reserve(caller.chain, {
          role: caller.role,
          run: caller.run,
          turn: caller.turn,
          model,
          tokensMax: call.reserved.tokens,
          usdMax: call.reserved.usd,
        });
        state.running.add(call);
        return { call, id };
      });
      const result = await begun.finally(() => queueMicrotask(forget));
      if ("refused" in result) return result;

      const { call, id } = result;
      let settling: Promise<void> | null = null;
      const settle = () =>
        state.lock(async () => {
          // A book that can't be written leaves the reservation standing, and then it counts in full here too.
          let used = call.reserved;
          try {
            await spending.settle(id, {
              inputTokens: allInput(call.counted),
              outputTokens: call.counted.output,
              cachedInputTokens: call.counted.cacheRead,
              usd: priceTokens(price, call.counted),
            });
            used = spentOf(call.counted, price);
          } finally {
            state.running.delete(call);
            state.settled = add(state.settled, used, 1);
          }
        });
      return {
        count(tokens) {
          call.counted = tokens;
          return whyCut(total(state), limits);
        },
        counted: () => call.counted,
        settle() {
          settling ??= settle().finally(() => queueMicrotask(forget));
          return settling;
        },
      };
    },
  };
}
