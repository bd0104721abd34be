import type { ServerResponse } from "node:http";

/** A reply of the gateway itself, in the provider's error shape, so that every client shows its message. */
export interface GatewayError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export function errorBody({ type, message }: GatewayError): unknown {
  return { type: "error", error: { type, message } };
}

/** Sends an error as JSON; inside a stream that has begun, as the last event. */
export function sendError(response: ServerResponse, error: GatewayError): void {
  if (response.destroyed || response.writableEnded) return;
  const body = JSON.stringify(errorBody(error));
  if (response.headersSent) {
    // The blank lines end an event that was cut in the middle.
    response.end(`\n\nevent: error\ndata: ${body}\n\n`);
    return;
  }
  response.writeHead(error.status, {
    "content-type": "application/json",
    // The gateway's conflicts are for good; clients that retry a 409 should at least not wait for it.
    ...(error.status === 409 ? { "retry-after-ms": "1", "x-should-retry": "false" } : {}),
    // The rest of a refused upload is not read.
    connection: "close",
  });
  response.end(body);
}
