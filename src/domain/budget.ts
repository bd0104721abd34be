/** What a chain may spend. Infinity: no limit. */
export interface BudgetLimits {
  /** US dollars. */
  readonly usdMax: number;
  /** Input and output tokens together. */
  readonly tokensMax: number;
  readonly minutesMax: number;
}

export interface BudgetUse {
  /** US dollars; null where the price of a call is not known. */
  readonly usd: number | null;
  readonly tokens: number;
  readonly minutes: number;
}

/** A limit that is reached, in words a user may see. */
export interface SpentLimit {
  readonly limit: "money" | "tokens" | "minutes";
  readonly reason: string;
}

/** The limit that is reached, or null. Money of unknown amount is never nothing: with a money limit it counts as spent. */
export function checkBudget(budget: { readonly limits: BudgetLimits; readonly spent: BudgetUse }): SpentLimit | null {
  const { limits, spent } = budget;
  if (spent.tokens >= limits.tokensMax) {
    return { limit: "tokens", reason: told(`${count(spent.tokens)} of ${count(limits.tokensMax)} tokens`) };
  }
  if (limits.usdMax !== Number.POSITIVE_INFINITY) {
    if (spent.usd === null) {
      const reason = `budget spent: the price of a model is not known, so the limit of ${dollars(limits.usdMax)} for this chain can not be kept; the operator can set a price`;
      return { limit: "money", reason };
    }
    if (spent.usd >= limits.usdMax) {
      return { limit: "money", reason: told(`${dollars(spent.usd)} of ${dollars(limits.usdMax)}`) };
    }
  }
  if (spent.minutes >= limits.minutesMax) {
    return { limit: "minutes", reason: told(`${count(spent.minutes)} of ${count(limits.minutesMax)} minutes`) };
  }
  return null;
}

function told(what: string): string {
  return `budget spent: ${what} for this chain`;
}

function count(amount: number): string {
  return Math.floor(amount).toLocaleString("en-US");
}

/** Cents are enough for people, but an amount below a cent must not read as nothing. */
function dollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 0.01 ? 4 : 2)}`;
}
