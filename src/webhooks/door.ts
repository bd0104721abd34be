import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Delivery } from "../store/record.ts";
import { readHeaders, type DeliveryHeaders } from "./delivery-headers.ts";
import { isKnownEvent } from "./events.ts";
import { discardRest, readBody, type BodyReading } from "./read-body.ts";
import { irrelevance, type Own } from "./relevance.ts";
import { isSigned } from "./signature.ts";

export const webhookPath = "/api/github/webhooks";

export interface DoorOptions {
  readonly webhookSecret: string;
  /** Stores one row. A repeat of the same delivery is a duplicate, not an error. */
  readonly store: (delivery: Delivery) => Promise<"stored" | "duplicate">;
  readonly own: Own;
  readonly log: Logger;
  /** GitHub sends no more than 25 MB. */
  readonly bodyBytesMax?: number;
  /** Of all requests together. */
  readonly bodiesBytesMax?: number;
  /** GitHub gives up after 10 seconds. */
  readonly bodySecondsMax?: number;
  readonly storeSecondsMax?: number;
}

/** Answers a request, or says with `false` that it is for another. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface Answer {
  readonly status: number;
  readonly body: { readonly status: "stored" | "duplicate" | "ignored" } | { readonly error: string };
}

const refusals: Readonly<Record<Exclude<BodyReading["kind"], "read">, Answer>> = {
  "too-large": { status: 413, body: { error: "the body is too large" } },
  "too-slow": { status: 408, body: { error: "the body took too long" } },
  "too-busy": { status: 503, body: { error: "too much at once: deliver it again later" } },
  "cut-off": { status: 400, body: { error: "the body is not complete" } },
};

/**
 * The door for GitHub's webhooks: verifies, parses, decides from the payload alone whether it matters, stores one row
 * and replies. Everything else happens later. Nothing is said of a delivery before its signature is known to be
 * GitHub's, nothing of its payload is logged, and no error's text leaves. Never rejects.
 */
export function createDoor(options: DoorOptions): Handler {
  const { log, own, webhookSecret, store } = options;
  const bytesMax = options.bodyBytesMax ?? 25 * 1024 * 1024;
  const body = { bytesMax, secondsMax: options.bodySecondsMax ?? 10 };
  const rest = { bytesMax: bytesMax * 2, secondsMax: 5 };
  const room = { bytesLeft: options.bodiesBytesMax ?? 256 * 1024 * 1024 };
  const storeSecondsMax = options.storeSecondsMax ?? 8;

  async function receive(request: IncomingMessage): Promise<Answer> {
    const reading = readHeaders(request.headers, own.appId);
    if (reading.kind === "refused") return { status: reading.status, body: { error: reading.error } };
    const reader = await readBody(request, room, body);
    const read = reader.body;
    try {
      if (read.kind !== "read") return refusals[read.kind];
      if (!isSigned(webhookSecret, read.bytes, reading.headers.signature)) {
        return { status: 401, body: { error: "the signature does not match" } };
      }
      return await accept(reading.headers, read.bytes);
    } finally {
      reader.release();
    }
  }

  async function accept(headers: DeliveryHeaders, bytes: Buffer): Promise<Answer> {
    const { event, deliveryId, hookId } = headers;
    if (!isKnownEvent(event)) return ignore(headers, "nothing is done on this event");
    const payload = parse(bytes);
    if (payload === null) return { status: 400, body: { error: "the body is not a JSON object" } };
    const action = typeof payload["action"] === "string" ? payload["action"] : null;
    const reason = irrelevance(event, action, payload, own);
    if (reason !== null) return ignore(headers, reason);
    const delivery = { hookId, deliveryId, event, action, payload, receivedAt: new Date() };
    try {
      const status = await within(storeSecondsMax, store(delivery));
      log.info({ event, action, delivery: deliveryId }, `delivery ${status}`);
      return { status: 202, body: { status } };
    } catch (error) {
      // GitHub then shows it as failed, and it can be asked for again.
      log.error({ event, action, delivery: deliveryId, err: error }, "delivery could not be stored");
      return { status: 503, body: { error: "it could not be stored: deliver it again later" } };
    }
  }

  function ignore({ event, deliveryId }: DeliveryHeaders, reason: string): Answer {
    log.debug({ event, delivery: deliveryId, reason }, "delivery ignored");
    return { status: 200, body: { status: "ignored" } };
  }

  return async (request, response) => {
    if ((request.url ?? "").split("?")[0] !== webhookPath) return false;
    response.on("error", () => undefined);
    let answer: Answer;
    if (request.method === "POST") {
      answer = await receive(request).catch((error: unknown) => {
        log.error({ err: error }, "a delivery broke the door");
        return { status: 500, body: { error: "internal error" } };
      });
    } else {
      answer = { status: 405, body: { error: "only POST is understood here" } };
    }
    // Only the status: whoever sent it is unknown, and so is what it holds.
    if ("error" in answer.body) log.warn({ status: answer.status }, `delivery refused: ${answer.body.error}`);
    send(request, response, answer);
    if (!request.complete && !request.destroyed) discardRest(request, rest);
    return true;
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(status === 405 ? { allow: "POST" } : {}),
    // What is left of an unread body is no next request.
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(text);
}

function parse(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** A store that hangs is a store that fails; should it store after all, the delivery's repeat is a duplicate. */
async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the store did not answer within ${seconds} s`)), seconds * 1_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
