import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { openStreamMeter } from "./anthropic/stream-meter.ts";
import { readUsage } from "./anthropic/usage.ts";
import type { RunningCall } from "./ledger.ts";
import { scrub } from "./record.ts";
import { sendError } from "./reply.ts";
import type { SourceReply } from "./source.ts";
import { noTokens } from "./tokens.ts";

/** Largest reply that is not a stream, and largest error that is passed on, in bytes. */
const replyBytesMax = 64 * 1024 * 1024;
const errorBytesMax = 256 * 1024;

/** Headers of a reply that a caller may see: nothing that names the account. */
const shownHeaders = /^(?:content-type|request-id|retry-after|retry-after-ms|x-should-retry|anthropic-ratelimit-.*)$/;

export interface Relaying {
  readonly reply: SourceReply;
  readonly response: ServerResponse;
  /** Counts and settles; null where nothing is counted. */
  readonly call: RunningCall | null;
  readonly inputEstimate: number;
  readonly secrets: readonly string[];
  /** Replaces the reservation. Awaited before the caller can see the end, so that its next call finds the book right. */
  readonly settle: () => Promise<void>;
}

/** Passes a reply on while it is counted. Gives the reason where a limit cut it off, else null. */
export async function relay(relaying: Relaying): Promise<string | null> {
  const { reply, response } = relaying;
  if (reply.status >= 400) await relayError(relaying);
  else if (reply.headers["content-type"]?.includes("text/event-stream")) return relayStream(relaying);
  else await relayWhole(relaying);
  return response.writableEnded ? null : (response.end(), null);
}

async function relayError({ reply, response, call, secrets, settle }: Relaying): Promise<void> {
  const body = await readUpTo(reply.body, errorBytesMax);
  call?.count(noTokens);
  await settle();
  response.writeHead(reply.status, filterHeaders(reply.headers)).end(scrub(body.bytes.toString("utf8"), secrets));
}

async function relayWhole({ reply, response, call, settle }: Relaying): Promise<void> {
  const body = await readUpTo(reply.body, replyBytesMax);
  if (body.cut) {
    sendError(response, { status: 502, type: "api_error", message: "the model's reply is too large" });
    return;
  }
  const usage = readMember(body.bytes, "usage");
  // Without a usage the estimate of the input stays: a reply that can't be read was still paid for.
  if (usage !== undefined) call?.count(readUsage(usage, noTokens));
  await settle();
  response.writeHead(reply.status, filterHeaders(reply.headers)).end(body.bytes);
}

async function relayStream({ reply, response, call, inputEstimate, settle }: Relaying): Promise<string | null> {
  const meter = openStreamMeter(inputEstimate);
  response.writeHead(reply.status, filterHeaders(reply.headers));
  response.flushHeaders();
  for await (const chunk of reply.body) {
    if (response.destroyed) return null;
    meter.add(chunk);
    const why = call?.count(meter.tokens()) ?? null;
    if (meter.ended()) await settle();
    else if (why !== null) {
      // Leaving the loop ends the upstream's connection: nothing more is made or paid for.
      await settle();
      sendError(response, { status: 402, type: "billing_error", message: why });
      return why;
    }
    if (!response.write(chunk)) await drained(response);
  }
  await settle();
  response.end();
  return null;
}

/** A slow caller slows the provider down; one that went away is not waited for. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).finally(() =>
    stop.abort(),
  );
}

function filterHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => shownHeaders.test(name)));
}

async function readUpTo(body: AsyncIterable<Uint8Array>, bytesMax: number) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return { bytes: Buffer.concat(chunks), cut: true };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

function readMember(bytes: Buffer, key: string): unknown {
  try {
    return (JSON.parse(bytes.toString("utf8")) as Record<string, unknown> | null)?.[key];
  } catch {
    return undefined;
  }
}
