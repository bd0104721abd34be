import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Source } from "./source.ts";

export interface UpstreamSettings {
  readonly apiKey: string;
  /** With or without the trailing `/v1`: both are usual. */
  readonly baseUrl: string;
}

/**
 * The real provider. The key is put in here and nowhere else. node:http rather than fetch: fetch gives up after five
 * minutes without a header, and follows redirects, which would carry the key to another host.
 */
export function openUpstream({ apiKey, baseUrl }: UpstreamSettings): Source {
  const base = baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const send = base.startsWith("https:") ? requestHttps : requestHttp;
  return async ({ request, kind, headers, signal }) => {
    const url = `${base}/v1/messages${kind === "count-tokens" ? "/count_tokens" : ""}`;
    const outcome = await new Promise<IncomingMessage | Error>((resolve) => {
      const outgoing = send(url, {
        method: "POST",
        signal,
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": request.bytes.length,
          // Compressed replies could not be counted while they pass.
          "accept-encoding": "identity",
          "x-api-key": apiKey,
        },
      });
      outgoing.on("response", resolve).on("error", resolve);
      outgoing.end(request.bytes);
    });
    signal.throwIfAborted();
    if (outcome instanceof Error) return refuse(`the model's provider could not be reached (${codeOf(outcome)})`);
    const status = outcome.statusCode ?? 502;
    if (status >= 300 && status < 400) {
      outcome.destroy();
      return refuse(`the model's provider answered with a redirect (${status}), which is not followed`);
    }
    if ((outcome.headers["content-encoding"] ?? "identity") !== "identity") {
      outcome.destroy();
      return refuse("the model's provider compressed its reply although it was asked not to");
    }
    const replyHeaders = Object.entries(outcome.headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return { kind: "reply", status, headers: Object.fromEntries(replyHeaders), body: outcome };
  };
}

function refuse(message: string) {
  return { kind: "refused", error: { status: 502, type: "api_error", message } } as const;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "connection failed";
}
