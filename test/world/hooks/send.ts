import { createHmac } from "node:crypto";

/** Longest wait for the receiver's answer, in milliseconds: GitHub's own limit. */
const answerMillisecondsMax = 10_000;

const tickMilliseconds = 100;

/** What the log keeps of an answer, in characters. */
const answerCharactersMax = 10_000;

export interface Outgoing {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
  readonly redelivery: boolean;
}

/** A delivery as the log keeps it. */
export interface Delivery extends Outgoing {
  readonly id: number;
  readonly deliveredAt: string;
  readonly seconds: number;
  /** 0: no answer. */
  readonly statusCode: number;
  readonly status: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
}

export async function sendDelivery(
  target: string | null,
  outgoing: Outgoing,
  options: {
    readonly secret: string | null;
    readonly hookId: number;
    readonly appId: number;
    readonly nextId: () => number;
    readonly now: () => Date;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Delivery> {
  const requestHeaders: Record<string, string> = {
    accept: "*/*",
    // A connection that is kept may be closed by the receiver just when it is used again.
    connection: "close",
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/0000000",
    "x-github-event": outgoing.event,
    "x-github-delivery": outgoing.guid,
    "x-github-hook-id": String(options.hookId),
    "x-github-hook-installation-target-id": String(options.appId),
    "x-github-hook-installation-target-type": "integration",
    ...(options.secret === null ? {} : { "x-hub-signature-256": sign(options.secret, outgoing.body) }),
    ...options.headers,
  };
  const began = performance.now();
  const common = { ...outgoing, id: options.nextId(), deliveredAt: options.now().toISOString(), requestHeaders };
  const seconds = (): number => Math.round(performance.now() - began) / 1000;
  const lost = (status: string): Delivery => ({
    ...common,
    seconds: seconds(),
    statusCode: 0,
    status,
    responseHeaders: {},
    answer: "",
  });
  if (target === null) return lost("no webhook URL");
  const patience = startPatience();
  try {
    const response = await fetch(target, {
      method: "POST",
      body: outgoing.body,
      headers: requestHeaders,
      redirect: "manual",
      signal: patience.signal,
    });
    const answer = (await response.text()).slice(0, answerCharactersMax);
    return {
      ...common,
      seconds: seconds(),
      statusCode: response.status,
      status: response.ok ? "OK" : response.statusText || "Invalid HTTP Response",
      responseHeaders: Object.fromEntries(response.headers),
      answer,
    };
  } catch {
    return lost(patience.signal.aborted ? "timed out" : "failed to connect to host");
  } finally {
    patience.stop();
  }
}

/**
 * Waits for an answer as long as GitHub does, counted in ticks: while git runs, this process cannot read an answer
 * that came long ago, and a plain timer would call it late.
 */
function startPatience(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks * tickMilliseconds >= answerMillisecondsMax) controller.abort();
  }, tickMilliseconds);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

export function sign(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
