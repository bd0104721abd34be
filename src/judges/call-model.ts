import { createAnthropic } from "@ai-sdk/anthropic";
import { APICallError, type FinishReason, generateText, NoObjectGeneratedError, Output } from "ai";
import pRetry from "p-retry";
import type { ModelAccess } from "../gateway/access.ts";
import { answerSchema } from "./answer-schema.ts";

/** The longest answer of a judge, in tokens. */
const outputTokensMax = 16_000;

/** Tries of one call whose transport fails. */
const callTriesMax = 3;

export interface ModelCall {
  readonly access: ModelAccess;
  readonly instructions: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Before the second try; doubled before the third. */
  readonly backOffSeconds: number;
  /** Told before each call that goes out, repeats too. */
  readonly onCall: () => void;
}

/** `text` may be empty, and anything at all: it is read elsewhere. */
export type ModelReply =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Asks the model once for an answer by schema, through the gateway. Only what can pass by itself (overload, rate limit,
 * a broken connection) is tried again; a spent budget and other refusals are not. Never rejects.
 */
export async function callModel(call: ModelCall): Promise<ModelReply> {
  try {
    return await pRetry(() => generate(call), {
      retries: callTriesMax - 1,
      minTimeout: call.backOffSeconds * 1_000,
      factor: 2,
      signal: call.signal,
      shouldRetry: ({ error }) => call.access.budgetSpent() === null && canPass(error),
    });
  } catch (error) {
    const spent = call.access.budgetSpent();
    return { kind: "failed", reason: spent ?? describeError(error) };
  }
}

async function generate({ access, instructions, prompt, signal, onCall }: ModelCall): Promise<ModelReply> {
  signal.throwIfAborted();
  onCall();
  const provider = createAnthropic({ baseURL: access.baseUrl, apiKey: access.token });
  try {
    const { text, finishReason } = await generateText({
      model: provider(access.model),
      instructions,
      prompt,
      output: Output.object({ schema: answerSchema }),
      maxOutputTokens: outputTokensMax,
      // One place repeats calls, so that tries do not multiply.
      maxRetries: 0,
      abortSignal: signal,
    });
    return toReply(text, finishReason);
  } catch (error) {
    // The object is bad or missing. What was said instead may still be a report.
    if (NoObjectGeneratedError.isInstance(error)) return toReply(error.text ?? "", error.finishReason);
    throw error;
  }
}

function toReply(text: string, finishReason: FinishReason | undefined): ModelReply {
  return finishReason === "content-filter" ? { kind: "refused" } : { kind: "text", text };
}

function canPass(error: unknown): boolean {
  // 409 comes from the gateway's recordings and is for good.
  return APICallError.isInstance(error) && error.isRetryable && error.statusCode !== 409;
}

function describeError(error: unknown): string {
  const status = APICallError.isInstance(error) && error.statusCode !== undefined ? ` (HTTP ${error.statusCode})` : "";
  const message = error instanceof Error ? error.message : String(error);
  return `${message.replaceAll(/\s+/g, " ").slice(0, 300)}${status}`;
}
