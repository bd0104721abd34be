import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GavelError } from "../errors.ts";
import type { Gateway } from "./access.ts";
import type { FinishedCall } from "./answer-call.ts";
import { answerCall } from "./answer-call.ts";
import { readCassette } from "./cassette.ts";
import { openGrants, usageSoFar } from "./grants.ts";
import { openLedger } from "./ledger.ts";
import type { Price } from "./price.ts";
import { findPrice } from "./price.ts";
import { openRecorder } from "./record.ts";
import { openReplay } from "./replay.ts";
import { sendError } from "./reply.ts";
import type { Source } from "./source.ts";
import type { Spending } from "./spending.ts";
import type { UpstreamSettings } from "./upstream.ts";
import { openUpstream } from "./upstream.ts";

export interface GatewayOptions {
  /** Providers whose key is set. */
  readonly upstream: { readonly anthropic: UpstreamSettings } | null;
  /** Answers from a recording instead of the provider, or records what the provider answers. */
  readonly cassette: { readonly mode: "replay" | "record"; readonly path: string } | null;
  /** The operator's prices, by model. They win over the published list. */
  readonly prices?: Readonly<Record<string, Price>>;
  readonly spending: Spending;
  readonly onCall?: (call: FinishedCall) => void;
  /** Longest call, in seconds. */
  readonly callSecondsMax?: number;
}

/** Calls at once, over all chains; more get a 429 that clients wait on. */
const callsAtOnceMax = 64;

/** Ten minutes: the longest that the provider itself lets a call take. */
const callSecondsMaxDefault = 600;

const routes: Readonly<Record<string, "messages" | "count-tokens">> = {
  "/anthropic/v1/messages": "messages",
  "/anthropic/v1/messages/count_tokens": "count-tokens",
};

/**
 * Starts the loopback server through which every engine and judge reaches a model. Callers hold a throw-away token; the
 * real key, the limits and the accounting are here. Rejects with a GavelError when the recording can't be read.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const grants = openGrants();
  const key = options.upstream?.anthropic.apiKey;
  const secrets = () => [...(key === undefined ? [] : [key]), ...grants.tokens()];
  const context = {
    ledger: openLedger(options.spending),
    source: await openSource(options, secrets),
    secrets,
    callSecondsMax: options.callSecondsMax ?? callSecondsMaxDefault,
    onCall: options.onCall ?? (() => undefined),
  };
  const active = new Set<Promise<void>>();

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "", query = ""] = (incoming.url ?? "").split("?");
    const kind = Object.hasOwn(routes, path) ? routes[path] : undefined;
    // Nothing that could change what is asked: only the flag that some clients always send.
    if (kind === undefined || incoming.method !== "POST" || !["", "beta=true"].includes(query))
      return sendError(response, { status: 404, type: "not_found_error", message: "there is nothing at this address" });
    const grant = grants.find(incoming.headers);
    if (grant === null)
      return sendError(response, {
        status: 401,
        type: "authentication_error",
        message: "this token is not, or no longer, good for anything",
      });
    if (active.size > callsAtOnceMax)
      return sendError(response, { status: 429, type: "rate_limit_error", message: "too many model calls at once" });
    return answerCall(context, grant, kind, incoming, response);
  }

  const server = createServer((incoming, response) => {
    // A caller that went away is seen by its "close"; without a listener a late write would end the process.
    response.on("error", () => undefined);
    const call = serve(incoming, response)
      .catch(() => void response.destroy())
      .finally(() => active.delete(call));
    active.add(call);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ host: "127.0.0.1", port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    grant(caller, model, limits) {
      const grant = grants.add(caller, model, limits, findPrice(model, options.prices ?? {}));
      return Promise.resolve({
        baseUrl: `http://127.0.0.1:${port}/anthropic/v1`,
        token: grant.token,
        model,
        usage: () => usageSoFar(grant),
        budgetSpent: () => grant.budgetSpent,
        revoke: () => grants.remove(grant),
      });
    },
    async close() {
      for (const grant of grants.all()) grants.remove(grant);
      const closed = new Promise((resolve) => server.close(resolve));
      // Settled before the last connection goes: what was used is in the book.
      await Promise.allSettled(active);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function openSource(options: GatewayOptions, secrets: () => readonly string[]): Promise<Source> {
  const { cassette, upstream } = options;
  if (cassette?.mode === "replay") return openReplay(await readCassette(cassette.path));
  if (upstream === null) {
    if (cassette !== null)
      throw new GavelError("recording-needs-a-key", "A recording needs a real model.", "Set ANTHROPIC_API_KEY.");
    const message = "no provider's key is set";
    return () => Promise.resolve({ kind: "refused", error: { status: 503, type: "api_error", message } });
  }
  const source = openUpstream(upstream.anthropic);
  return cassette === null ? source : openRecorder(source, cassette.path, secrets);
}
