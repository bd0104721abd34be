// Starts the embedded PostgreSQL on a data folder and holds it until its input ends.
import { once } from "node:events";
import { GavelError } from "../../../src/errors.ts";
import { startEmbeddedPostgres } from "../../../src/store/embedded-postgres.ts";

try {
  const server = await startEmbeddedPostgres(process.argv[2] ?? "");
  console.log(`url ${server.url}`);
  await once(process.stdin.resume(), "end");
  await server.stop();
} catch (error) {
  if (!(error instanceof GavelError)) throw error;
  console.log(`refused ${error.code}: ${error.message}`);
}
