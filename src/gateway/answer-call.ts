import type { IncomingMessage, ServerResponse } from "node:http";
import type { Usage } from "../domain/usage.ts";
import { addUsage } from "../domain/usage.ts";
import type { Caller } from "./access.ts";
import { readMessagesRequest } from "./anthropic/request.ts";
import type { MessagesRequest } from "./anthropic/request.ts";
import { keyOf } from "./cassette.ts";
import type { Grant } from "./grants.ts";
import { usageOf } from "./grants.ts";
import type { Ledger, RunningCall } from "./ledger.ts";
import { readBody } from "./read-body.ts";
import { relay } from "./relay.ts";
import { sendError } from "./reply.ts";
import type { Source, SourceCall } from "./source.ts";
import { noTokens } from "./tokens.ts";

/** A call that is over, for metrics and the record. */
export interface FinishedCall {
  readonly caller: Caller;
  readonly model: string;
  /** HTTP status that the caller saw. */
  readonly status: number;
  readonly usage: Usage;
  readonly seconds: number;
  /** Why a limit cut it off, or null. */
  readonly cut: string | null;
  /** false: the spending book could not be written, and the reservation still counts in full. */
  readonly settled: boolean;
}

export interface CallContext {
  readonly ledger: Ledger;
  readonly source: Source;
  /** Exact texts that no reply may hold. */
  readonly secrets: () => readonly string[];
  readonly callSecondsMax: number;
  readonly onCall: (call: FinishedCall) => void;
}

/** Headers of a caller that are passed on. */
const passedHeaders = ["anthropic-version", "anthropic-beta", "accept"];

/** Bytes of a request for one token: few where the most is reserved, usual where nothing better is known. */
const bytesPerTokenLeast = 3;
const bytesPerTokenUsual = 4;

/** Answers one authorised call from body to last byte. */
export async function answerCall(
  context: CallContext,
  grant: Grant,
  kind: SourceCall["kind"],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming);
  if ("status" in body) return sendError(response, body);
  const request = readMessagesRequest(body, kind === "count-tokens");
  if ("status" in request) return sendError(response, request);
  if (request.model !== grant.model)
    return sendError(response, {
      status: 403,
      type: "permission_error",
      message: `this access is for the model "${grant.model}", not for "${request.model.slice(0, 100)}"`,
    });

  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new Error(`the call took longer than ${context.callSecondsMax} seconds`)),
    context.callSecondsMax * 1_000,
  );
  response.once("close", () => abort.abort(new Error("the caller went away")));
  const signal = AbortSignal.any([abort.signal, grant.revoked.signal]);
  const headers = Object.fromEntries(
    passedHeaders.flatMap((name) =>
      typeof incoming.headers[name] === "string" ? [[name, incoming.headers[name]]] : [],
    ),
  );
  try {
    if (kind === "messages") await answerMessages(context, grant, { request, kind, headers, signal }, response);
    else {
      const reply = await context.source({ key: "", request, kind, headers, signal });
      if (reply.kind === "refused") sendError(response, reply.error);
      else {
        const settle = () => Promise.resolve();
        await relay({ reply, response, call: null, inputEstimate: 0, secrets: context.secrets(), settle });
      }
    }
  } catch (error) {
    const told = signal.aborted ? signal.reason : error;
    sendError(response, {
      status: signal.aborted ? 504 : 502,
      type: signal.aborted ? "timeout_error" : "api_error",
      message: signal.aborted && told instanceof Error ? told.message : "the model's provider broke the reply off",
    });
  } finally {
    clearTimeout(timer);
  }
}

async function answerMessages(
  context: CallContext,
  grant: Grant,
  call: Omit<SourceCall, "key"> & { readonly request: MessagesRequest },
  response: ServerResponse,
): Promise<void> {
  const { caller, model, limits, price } = grant;
  const { request } = call;
  const most = {
    ...noTokens,
    plainInput: Math.ceil(request.bytes.length / bytesPerTokenLeast),
    output: request.maxTokens,
  };
  let begun: RunningCall | { readonly refused: string };
  try {
    begun = await context.ledger.begin({ caller, model, limits, price, most });
  } catch {
    const message = "the call was not made: the spending book could not be written";
    return sendError(response, { status: 503, type: "api_error", message });
  }
  if ("refused" in begun) {
    grant.budgetSpent = begun.refused;
    return sendError(response, { status: 402, type: "billing_error", message: begun.refused });
  }

  const running = begun;
  const startedAt = performance.now();
  const order = (grant.order += 1);
  const inputEstimate = Math.ceil(request.bytes.length / bytesPerTokenUsual);
  let cut: string | null = null;
  let settled: boolean | null = null;
  let made = true;
  grant.running.add(running);
  const settle = async () => {
    if (settled !== null) return;
    settled = await running.settle().then(
      () => true,
      () => false,
    );
    grant.running.delete(running);
    if (made) grant.used = addUsage(grant.used, usageOf(running.counted(), price));
  };
  try {
    // Counted from now on: a provider may bill a call whose reply never came.
    running.count({ ...noTokens, plainInput: inputEstimate });
    const reply = await context.source({ ...call, key: keyOf(caller, order) });
    if (reply.kind === "refused") {
      made = false;
      if (grant.order === order) grant.order -= 1;
      running.count(noTokens);
      await settle();
      return sendError(response, reply.error);
    }
    cut = await relay({ reply, response, call: running, inputEstimate, secrets: context.secrets(), settle });
    if (cut !== null) grant.budgetSpent = cut;
  } finally {
    await settle();
    context.onCall({
      caller,
      model,
      status: response.statusCode,
      usage: usageOf(running.counted(), price),
      seconds: (performance.now() - startedAt) / 1_000,
      cut,
      settled: settled === true,
    });
  }
}
