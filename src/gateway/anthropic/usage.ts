import type { TokenCount } from "../tokens.ts";

/** A number that a provider sent, or 0: usage is read leniently, it is others' JSON. */
function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * Reads a `usage` object. Streams send it twice, with cumulative values and not always all of them: each value is
 * the larger of what stood before and what is told now, never their sum.
 */
export function readUsage(usage: unknown, before: TokenCount): TokenCount {
  if (typeof usage !== "object" || usage === null) return before;
  const told = usage as Record<string, unknown>;
  return {
    plainInput: Math.max(before.plainInput, countOf(told["input_tokens"])),
    cacheRead: Math.max(before.cacheRead, countOf(told["cache_read_input_tokens"])),
    cacheWrite: Math.max(before.cacheWrite, countOf(told["cache_creation_input_tokens"])),
    output: Math.max(before.output, countOf(told["output_tokens"])),
  };
}
