/** What model calls consumed. Counts are tokens; money is US dollars; null is "unknown", which is never zero. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly usd: number | null;
}

export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, usd: 0 };

/** Adds two usages. An unknown amount of money makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  };
}
