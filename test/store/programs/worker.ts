// Runs one workflow on a database: `worker.ts PLACE RULE [LEASE_SECONDS]`. PLACE is a data folder or a URL.
// The workflow decides, works, decides again and works again. Each effect is a line in the table `effects`.
import { once } from "node:events";
import { openDatabase } from "../../../src/store/database.ts";
import { launchDurable, type Durable } from "../../../src/store/durable.ts";

const [, , place = "", rule = "", lease = "30"] = process.argv;
const isUrl = place.startsWith("postgresql:");
const database = await openDatabase(isUrl ? { url: place } : { dataFolder: place });
await database.pool
  .query("CREATE TABLE IF NOT EXISTS effects (id serial, pid integer, effect text)")
  .catch(() => undefined);

const note = async (effect: string): Promise<void> => {
  await database.pool.query("INSERT INTO effects (pid, effect) VALUES ($1, $2)", [process.pid, effect]);
  console.log(effect);
};

/** A step that runs until its row in `gates` is there. */
const waitForGate = async (name: string): Promise<void> => {
  for (;;) {
    const { rows } = await database.pool.query("SELECT to_regclass('gates') AS t, $1::text AS name", [name]);
    if (rows[0].t !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const durable: Durable = await launchDurable({
  url: database.url,
  pool: database.pool,
  exclusive: database.embedded,
  leaseSeconds: Number(lease),
  queues: [{ name: "work", workerConcurrency: 2, globalConcurrency: 4 }],
  register: (engine) => {
    engine.registerWorkflow<string>("chain", async (id) => {
      const first = await engine.runStep("decide", async () => `first by ${rule}`);
      await engine.runStep("perform", () => note(first));
      await engine.startWorkflow("segment", `${id}-segment`, id, { queue: "work", partition: id });
      console.log(`segment ${await engine.awaitWorkflow(`${id}-segment`)}`);
      const last = await engine.runStep("decide", async () => `last by ${rule}`);
      await engine.runStep("perform", () => note(last));
      console.log("end");
    });
    engine.registerWorkflow<string>("segment", async () => {
      await engine.runStep("prepare", () => note("prepared"));
      await engine.runStep("turn", async () => {
        await note("turn begins");
        await waitForGate("turn");
        await engine.assertOwner();
        await note("turn ends");
      });
    });
  },
  onFenced: (reason) => {
    console.log(`fenced: ${reason}`);
    process.exit(70);
  },
});
console.log("ready");
process.stdin.on("data", (text) => {
  void durable.startWorkflow("chain", String(text).trim(), String(text).trim());
});
await once(process.stdin.resume(), "end");
await durable.shutdown({ timeoutSeconds: 5 });
await database.close();
