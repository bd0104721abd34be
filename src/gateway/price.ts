import { anthropicModels } from "tokenlens/providers/anthropic";
import type { TokenCount } from "./tokens.ts";
import { allTokens } from "./tokens.ts";

/** US dollars for a million tokens. */
export interface Price {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  readonly cachedInputUsdPerMillion: number;
}

/** Writing to the cache costs more than plain input. The dearer of the provider's two rates: money is never counted low. */
const cacheWriteFactor = 2;

/** The price of a model: the operator's word first, then the published list; null where neither knows it. */
export function findPrice(model: string, operatorPrices: Readonly<Record<string, Price>>): Price | null {
  if (Object.hasOwn(operatorPrices, model)) return operatorPrices[model] ?? null;
  const published: Readonly<Record<string, { cost: { input: number; output: number; cache_read: number } }>> =
    anthropicModels.models;
  if (!Object.hasOwn(published, model)) return null;
  const cost = published[model]?.cost;
  if (cost === undefined) return null;
  return {
    inputUsdPerMillion: cost.input,
    outputUsdPerMillion: cost.output,
    cachedInputUsdPerMillion: cost.cache_read,
  };
}

/** Money for these tokens in US dollars; null where the price is unknown, which is never zero, except for no tokens. */
export function priceTokens(price: Price | null, tokens: TokenCount): number | null {
  if (price === null) return allTokens(tokens) === 0 ? 0 : null;
  return (
    (tokens.plainInput * price.inputUsdPerMillion +
      tokens.cacheWrite * price.inputUsdPerMillion * cacheWriteFactor +
      tokens.cacheRead * price.cachedInputUsdPerMillion +
      tokens.output * price.outputUsdPerMillion) /
    1_000_000
  );
}
