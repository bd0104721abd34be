import { createAnthropic } from "@ai-sdk/anthropic";
import type { FinishReason, ModelMessage, ToolSet } from "ai";
import { APICallError, streamText } from "ai";
import type { ModelAccess } from "../../gateway/access.ts";

/** One reply of the model with the results of the tools that it asked for. */
export interface ModelStep {
  readonly text: string;
  readonly toolCalls: number;
  readonly finishReason: FinishReason;
  /** To be appended to the conversation. */
  readonly messages: readonly ModelMessage[];
}

export interface Asking {
  readonly access: ModelAccess;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
}

/** Longest reply in tokens. Enough for a file of some thousand lines, and small enough to be reserved. */
const outputTokensMax = 32_000;

/** Retries of what may pass (429, 5xx, a broken stream). Nobody above or below repeats a call, so these don't multiply. */
const retriesMax = 2;

// The SDK prints its warnings to the console, past our log.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Asks once. Streams, so that a limit of the gateway can cut the reply off while it is made. Rejects as the SDK does. */
export async function askModel({ access, system, messages, tools, signal }: Asking): Promise<ModelStep> {
  const provider = createAnthropic({ baseURL: access.baseUrl, apiKey: access.token, fetch: fetchFromGateway });
  let streamError: unknown = null;
  const result = streamText({
    model: provider(access.model),
    instructions: system,
    messages: [...messages],
    tools,
    toolCallConcurrency: 1,
    maxOutputTokens: outputTokensMax,
    maxRetries: retriesMax,
    abortSignal: signal,
    // The conversation is sent again at every step; what the provider has cached costs a tenth.
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    onError({ error }) {
      streamError = error;
    },
  });
  try {
    const [text, toolCalls, finishReason, responses] = await Promise.all([
      result.text,
      result.toolCalls,
      result.finishReason,
      result.responseMessages,
    ]);
    // An error in the middle of a stream ends the step like a reply.
    if (finishReason === "error") throw streamError ?? new Error("the reply ended with an error");
    return { text, toolCalls: toolCalls.length, finishReason, messages: responses };
  } catch (error) {
    // What the SDK rejects with says only that nothing came; the cause came before it.
    throw streamError ?? error;
  }
}

/** The gateway is on this machine: where it can't be reached it is gone, and asking again only takes time. */
const fetchFromGateway: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init?.signal?.aborted === true) throw error;
    // Without the cause: the SDK would look into it and ask again all the same.
    throw new APICallError({
      message: "Gavel's own gateway can not be reached",
      url: url instanceof Request ? url.url : url.toString(),
      requestBodyValues: {},
      isRetryable: false,
    });
  }
};
