import { createHmac, randomUUID } from "node:crypto";
import { checkWebhook, completeWebhook } from "./openapi.ts";

/** Longest wait for the receiver's answer, in milliseconds: GitHub's own limit. */
const answerMillisecondsMax = 10_000;

/** Deliveries that the log keeps. */
const logMax = 1000;

export interface SentDelivery {
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: Record<string, unknown>;
  /** Status of the receiver's answer; null: none came. */
  status: number | null;
}

export interface Hooks {
  setTarget(url: string): void;
  /** Sends an event after all that were emitted before. */
  emit(event: string, action: string | null, payload: object): void;
  redeliver(id: string): void;
  /** Drops or doubles the next deliveries. */
  readonly faults: ("drop" | "double")[];
  readonly log: readonly SentDelivery[];
  settled(): Promise<void>;
}

export function openHooks(options: {
  readonly secret: string;
  readonly hookId: number;
  readonly appId: number;
  readonly violation: (what: string) => void;
}): Hooks {
  const log: SentDelivery[] = [];
  const faults: ("drop" | "double")[] = [];
  let target: string | null = null;
  let chain: Promise<void> = Promise.resolve();

  const send = async (delivery: SentDelivery): Promise<void> => {
    if (target === null) return;
    const body = JSON.stringify(delivery.payload);
    try {
      const response = await fetch(target, {
        method: "POST",
        body,
        signal: AbortSignal.timeout(answerMillisecondsMax),
        headers: {
          "content-type": "application/json",
          "user-agent": "GitHub-Hookshot/world",
          "x-github-event": delivery.event,
          "x-github-delivery": delivery.id,
          "x-github-hook-id": String(options.hookId),
          "x-github-hook-installation-target-id": String(options.appId),
          "x-github-hook-installation-target-type": "integration",
          "x-hub-signature-256": `sha256=${createHmac("sha256", options.secret).update(body).digest("hex")}`,
        },
      });
      delivery.status = response.status;
      await response.arrayBuffer();
    } catch {
      delivery.status = null;
    }
  };
  const queue = (delivery: SentDelivery): void => {
    chain = chain.then(() => send(delivery));
  };
  return {
    faults,
    log,
    setTarget(url) {
      target = url;
    },
    emit(event, action, payload) {
      const full = completeWebhook(event, action, { ...(action === null ? {} : { action }), ...payload });
      for (const problem of checkWebhook(event, action, full))
        options.violation(`webhook ${event}.${action}: ${problem}`);
      const delivery: SentDelivery = { id: randomUUID(), event, action, payload: full, status: null };
      log.push(delivery);
      if (log.length > logMax) log.shift();
      const fault = faults.shift();
      if (fault === "drop") return;
      queue(delivery);
      if (fault === "double") queue(delivery);
    },
    redeliver(id) {
      const found = log.find((delivery) => delivery.id === id);
      if (found !== undefined) queue(found);
    },
    async settled() {
      let seen: Promise<void> | null = null;
      while (seen !== chain) {
        seen = chain;
        await seen;
      }
    },
  };
}
