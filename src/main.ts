import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assemble } from "./deps.ts";
import { startDraining } from "./drain.ts";
import { readSettings } from "./env.ts";
import { GavelError } from "./errors.ts";
import { openLog } from "./log.ts";
import { createDoor } from "./webhooks/door.ts";

/** The server: settings, store, workers, door. Ends with exit code 1 and the whole list where something is missing. */
const log = openLog(process.env["LOG_LEVEL"] ?? "info");

const read = readSettings(process.env);
if (read.kind === "invalid") {
  console.error("Gavel can not start:");
  for (const { message, cure } of read.problems) console.error(`- ${message} ${cure}`);
  process.exit(1);
}

try {
  await serve(read.settings);
} catch (error) {
  if (error instanceof GavelError) console.error(`Gavel can not start: ${error.message} ${error.cure}`);
  else log.fatal({ err: error }, "Gavel can not start");
  process.exit(1);
}

async function serve(settings: Extract<typeof read, { kind: "ok" }>["settings"]): Promise<void> {
  const assembled = await assemble(settings, log, (reason) => {
    // Another process may go on with our work at any moment: nothing of ours may happen after this.
    log.fatal({ reason }, "the lease is lost");
    process.exit(1);
  });
  const stopDraining = startDraining(assembled.records, assembled.commands, log);
  const door = createDoor({
    webhookSecret: settings.webhookSecret,
    store: (delivery) => assembled.records.storeDelivery(delivery),
    own: { appId: settings.github.appId, botLogin: assembled.botLogin },
    log,
  });
  const server = createServer((request, response) => {
    void door(request, response).then((taken) => {
      if (taken) return;
      const healthy = request.method === "GET" && (request.url === "/healthz" || request.url === "/readyz");
      response.writeHead(healthy ? 200 : 404, { "content-type": "text/plain" }).end(healthy ? "ok" : "not found");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  log.info({ url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` }, "ready");

  let stopping = false;
  const stop = async (why: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, "stopping");
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    await stopDraining();
    await assembled.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(signal));
  void assembled.lost.then(() => {
    log.fatal("the database's own server is gone");
    process.exit(1);
  });
}
