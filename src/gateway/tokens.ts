/** Tokens of one call as providers bill them. */
export interface TokenCount {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly plainInput: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export const noTokens: TokenCount = { plainInput: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Everything that went in, cached or not. */
export function allInput(tokens: TokenCount): number {
  return tokens.plainInput + tokens.cacheRead + tokens.cacheWrite;
}

export function allTokens(tokens: TokenCount): number {
  return allInput(tokens) + tokens.output;
}
