import type { SpendingLimits } from "./access.ts";
import type { Price } from "./price.ts";
import type { Spent } from "./spending.ts";

/**
 * Why a call may not begin, in words a user may see, or null. A call begins as long as something is left, because what
 * it will use is not known; `whyCut` ends it while it runs.
 */
export function whyRefused(model: string, spent: Spent, limits: SpendingLimits, price: Price | null): string | null {
  if (spent.tokens >= limits.tokensMax) return tokensSpent(spent.tokens, limits);
  if (limits.usdMax === Number.POSITIVE_INFINITY) return null;
  const because = `so the limit of ${dollars(limits.usdMax)} for this chain can not be kept; the operator can set a price`;
  if (price === null) return `budget spent: the price of the model "${model}" is not known, ${because}`;
  if (spent.usd === null) return `budget spent: the price of earlier calls is not known, ${because}`;
  return spent.usd >= limits.usdMax ? moneySpent(spent.usd, limits) : null;
}

/** Why what runs is cut off now, in words a user may see, or null. */
export function whyCut(spent: Spent, limits: SpendingLimits): string | null {
  if (spent.tokens > limits.tokensMax) return tokensSpent(spent.tokens, limits);
  if (spent.usd !== null && spent.usd > limits.usdMax) return moneySpent(spent.usd, limits);
  return null;
}

function tokensSpent(tokens: number, limits: SpendingLimits): string {
  return `budget spent: ${count(tokens)} of ${count(limits.tokensMax)} tokens for this chain`;
}

function moneySpent(usd: number, limits: SpendingLimits): string {
  return `budget spent: ${dollars(usd)} of ${dollars(limits.usdMax)} for this chain`;
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString("en-US");
}

/** Cents are enough for people, but an amount below a cent must not read as nothing. */
function dollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 0.01 ? 4 : 2)}`;
}
