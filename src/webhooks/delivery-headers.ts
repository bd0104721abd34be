import type { IncomingHttpHeaders } from "node:http";

export interface DeliveryHeaders {
  readonly event: string;
  readonly deliveryId: string;
  readonly hookId: string;
  readonly signature: string;
}

export type HeaderReading =
  | { readonly kind: "ok"; readonly headers: DeliveryHeaders }
  | { readonly kind: "refused"; readonly status: 400 | 415; readonly error: string };

/** Reads what GitHub sends with every delivery. Values are checked by shape: they go into the log and the database. */
export function readHeaders(headers: IncomingHttpHeaders, appId: number): HeaderReading {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    return refuse(415, "the content type must be application/json: choose it in the webhook's settings");
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") return refuse(415, "the body must not be compressed");
  const event = word(headers["x-github-event"], /^[a-z_]{1,60}$/);
  if (event === null) return refuse(400, "the header X-GitHub-Event is missing or malformed");
  const deliveryId = word(headers["x-github-delivery"], /^[A-Za-z0-9-]{1,100}$/);
  if (deliveryId === null) return refuse(400, "the header X-GitHub-Delivery is missing or malformed");
  const signature = word(headers["x-hub-signature-256"], /^[\x21-\x7e]{1,200}$/);
  if (signature === null) {
    return refuse(400, "the header X-Hub-Signature-256 is missing: set the webhook's secret on GitHub");
  }
  // Older servers send no hook id. An App has one hook only, so its id stands for it.
  const hookId = word(headers["x-github-hook-id"], /^[A-Za-z0-9-]{1,100}$/) ?? `app-${appId}`;
  return { kind: "ok", headers: { event, deliveryId, hookId, signature } };
}

function word(value: string | string[] | undefined, shape: RegExp): string | null {
  return typeof value === "string" && shape.test(value) ? value : null;
}

function refuse(status: 400 | 415, error: string): HeaderReading {
  return { kind: "refused", status, error };
}
