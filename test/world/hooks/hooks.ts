import { randomUUID } from "node:crypto";
import { checkWebhook } from "../openapi/check.ts";
import { type Delivery, type Outgoing, sendDelivery } from "./send.ts";

/** Deliveries that the log keeps. */
const logMax = 1000;

/** What can go wrong with a delivery on purpose. Late: sent after the one that follows. */
export type DeliveryFault = "drop-delivery" | "double-delivery" | "late-delivery";

/** The App's webhooks. Sent one after the other, in the order of what happened; never tried again, as on GitHub. */
export interface Hooks {
  /** null: nobody listens, and deliveries fail. */
  readonly setTarget: (url: string | null) => void;
  readonly target: () => string | null;
  readonly emit: (event: string, action: string | null, payload: Readonly<Record<string, unknown>>) => void;
  /** Sends one again, under its old id. By the number that the API lists or by the delivery id; false: there is none. */
  readonly redeliver: (id: number | string) => boolean;
  /** Sends anything at once, valid or not, and tells the status of the answer; null: there was none. */
  readonly sendRaw: (raw: RawDelivery) => Promise<number | null>;
  readonly log: readonly Delivery[];
  /** Waits until nothing is left to send. */
  readonly settled: () => Promise<void>;
}

export interface RawDelivery {
  readonly event: string;
  /** Text goes out as it is. */
  readonly payload: unknown;
  readonly deliveryId?: string;
  /** Signs with another secret; null: no signature. */
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function openHooks(options: {
  readonly secret: string;
  readonly hookId: number;
  readonly appId: number;
  readonly nextId: () => number;
  readonly now: () => Date;
  readonly wants: (event: string) => boolean;
  readonly takeFault: (event: string) => DeliveryFault | null;
  readonly violation: (what: string) => void;
}): Hooks {
  const log: Delivery[] = [];
  const late: Outgoing[] = [];
  let target: string | null = null;
  let chain: Promise<void> = Promise.resolve();

  const sendAfter = async (before: Promise<void>, outgoing: Outgoing): Promise<void> => {
    await before;
    const delivery = await sendDelivery(target, outgoing, options);
    log.push(delivery);
    if (log.length > logMax) log.shift();
  };
  const queue = (outgoing: Outgoing): void => {
    chain = sendAfter(chain, outgoing);
  };
  return {
    log,
    setTarget(url) {
      target = url;
    },
    target: () => target,
    emit(event, action, payload) {
      if (!options.wants(event)) return;
      const full = { ...(action === null ? {} : { action }), ...payload };
      const name = action === null ? event : `${event}.${action}`;
      // What is sent is fixed now: the world goes on before the delivery leaves.
      const body = JSON.stringify(full);
      for (const problem of checkWebhook(event, action, JSON.parse(body))) {
        options.violation(`webhook ${name}: ${problem}`);
      }
      const outgoing: Outgoing = { guid: randomUUID(), event, action, body, redelivery: false };
      const fault = options.takeFault(event);
      if (fault === "drop-delivery") return;
      if (fault === "late-delivery") {
        late.push(outgoing);
        return;
      }
      queue(outgoing);
      if (fault === "double-delivery") queue(outgoing);
      for (const held of late.splice(0)) queue(held);
    },
    redeliver(id) {
      const found = log.find((delivery) => delivery.id === id || delivery.guid === id);
      if (found !== undefined) queue({ ...found, redelivery: true });
      return found !== undefined;
    },
    async sendRaw(raw) {
      const outgoing: Outgoing = {
        guid: raw.deliveryId ?? randomUUID(),
        event: raw.event,
        action: null,
        body: typeof raw.payload === "string" ? raw.payload : JSON.stringify(raw.payload),
        redelivery: false,
      };
      const secret = raw.secret === undefined ? options.secret : raw.secret;
      const sent = await sendDelivery(target, outgoing, { ...options, secret, headers: raw.headers ?? {} });
      return sent.statusCode === 0 ? null : sent.statusCode;
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
