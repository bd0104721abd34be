import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { createNodeMiddleware, type Probot } from "probot";
import type { Handler } from "./door.ts";

/** Connections at once; GitHub uses few, so what is beyond is an attack and is not waited for. */
const connectionsMax = 1_024;

export interface Serving {
  /** For example `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly server: Server;
  /** Takes no new requests, lets the running ones end, and hangs up after `secondsMax`. */
  close(secondsMax: number): Promise<void>;
}

/**
 * Serves Probot's app with our handlers before Probot's own webhook route. Probot's `Server` puts that route first
 * whatever is added, so it can't be used: the route has no limit of size, logs payloads and answers after the handlers.
 * `createNodeMiddleware` asks added handlers first; the door answers everything on the webhook's path.
 */
export async function serve(options: {
  readonly probot: Probot;
  readonly handlers: readonly Handler[];
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
}): Promise<Serving> {
  const { host, log } = options;
  const middleware = await createNodeMiddleware(
    (_app, { addHandler }) => {
      for (const handler of options.handlers) addHandler(handler);
    },
    { probot: options.probot },
  );
  const server = createServer(
    // The whole of a request, its headers and the pause between two are bounded: slow clients are hung up on.
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      const next = (): void => void response.writeHead(404).end();
      // It answers 500 without a word where a handler fails.
      void middleware(request, response, next);
    },
  );
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ host, port: options.port }, resolve);
  });
  // Without a listener, a connection that can't be accepted would end the process.
  server.on("error", (error) => log.error({ err: error }, "the server has an error"));
  const { port, address, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    server,
    async close(secondsMax) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), secondsMax * 1_000);
      await closed;
      clearTimeout(timer);
    },
  };
}
