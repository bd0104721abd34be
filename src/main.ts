import { Probot } from "probot";
import { assemble } from "./deps.ts";
import { readSettings } from "./env.ts";
import { GavelError } from "./errors.ts";
import { openLog } from "./log.ts";
import { createDoor, type Handler } from "./webhooks/door.ts";
import { startDraining } from "./webhooks/drain.ts";
import { serve as serveHttp } from "./webhooks/serve.ts";

/** How long running requests get to end, in seconds. */
const httpSecondsMax = 10;

/** For load balancers and supervisors: a server that answers has opened its store and started its workers. */
const answerHealth: Handler = (request, response) => {
  const asked = request.method === "GET" && (request.url === "/healthz" || request.url === "/readyz");
  if (asked) response.writeHead(200, { "content-type": "text/plain" }).end("ok");
  return Promise.resolve(asked);
};

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
  const serving = await serveHttp({
    probot: new Probot({
      appId: settings.github.appId,
      privateKey: settings.github.privateKey,
      secret: settings.webhookSecret,
      log,
    }),
    handlers: [door, answerHealth],
    host: settings.host,
    port: settings.port,
    log,
  });
  log.info({ url: serving.url }, "ready");

  let stopping = false;
  const stop = async (why: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, "stopping");
    await serving.close(httpSecondsMax);
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
