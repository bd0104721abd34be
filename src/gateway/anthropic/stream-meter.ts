import { createParser } from "eventsource-parser";
import type { TokenCount } from "../tokens.ts";
import { noTokens } from "../tokens.ts";
import { readUsage } from "./usage.ts";

/** Counts a stream's tokens while it passes. */
export interface StreamMeter {
  add(chunk: Uint8Array): void;
  tokens(): TokenCount;
  /** The message's end has been seen. */
  ended(): boolean;
}

/** Characters of a token, for output whose count has not been told yet. */
const charactersPerToken = 4;

/** An event longer than this is not read further; real ones have some kilobytes. */
const eventCharactersMax = 8 * 1024 * 1024;

/**
 * The output's count is told only at the end of a stream, so until then it is estimated from what has passed: a limit
 * that is looked at only when everything is spent is no limit.
 */
export function openStreamMeter(inputEstimate: number): StreamMeter {
  let told: TokenCount | null = null;
  let characters = 0;
  let outputTold = false;
  let ended = false;
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => read(data), maxBufferSize: eventCharactersMax });

  function read(data: string): void {
    let event: Record<string, unknown>;
    try {
      event = JSON.parse(data) as Record<string, unknown>;
    } catch {
      return;
    }
    const of = (key: string) => (event?.[key] ?? {}) as Record<string, unknown>;
    switch (event?.["type"]) {
      case "message_start":
        told = readUsage(of("message")["usage"], told ?? noTokens);
        break;
      case "content_block_start":
        characters += lengthOf(of("content_block"), ["text", "thinking"]);
        break;
      case "content_block_delta":
        characters += lengthOf(of("delta"), ["text", "partial_json", "thinking", "signature"]);
        break;
      case "message_delta":
        told = readUsage(event["usage"], told ?? noTokens);
        outputTold = true;
        break;
      case "message_stop":
        ended = true;
        break;
    }
  }

  return {
    add: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    tokens() {
      const counted = told ?? { ...noTokens, plainInput: inputEstimate };
      if (outputTold) return counted;
      return { ...counted, output: Math.max(counted.output, Math.ceil(characters / charactersPerToken)) };
    },
    ended: () => ended,
  };
}

function lengthOf(block: Record<string, unknown>, keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + (typeof block[key] === "string" ? block[key].length : 0), 0);
}
