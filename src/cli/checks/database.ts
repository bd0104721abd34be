import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { findAccount } from "../../store/postgres-account.ts";
import { findBinaries } from "../../store/postgres-binaries.ts";
import { badError, type Check, type Finding, good } from "./finding.ts";

const connectMillisecondsMax = 10_000;

/** The database that DATABASE_URL names, or the programs for one of our own. Nothing is started and nothing is changed. */
export const checkDatabase: Check = async (env) => {
  const url = env["DATABASE_URL"] ?? "";
  return [url === "" ? await checkPrograms(env["GAVEL_DATA_DIR"] || ".gavel") : await checkServer(url)];
};

async function checkServer(url: string): Promise<Finding> {
  const cure = "Check DATABASE_URL, that the server runs, and that its user may connect and create tables.";
  try {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMillisecondsMax });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
      return good("database", `PostgreSQL ${rows[0]?.version ?? ""} answers at DATABASE_URL`);
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    return badError("database", error instanceof AggregateError ? error.errors[0] : error, cure);
  }
}

async function checkPrograms(dataFolder: string): Promise<Finding> {
  const spare = mkdtempSync(join(tmpdir(), "gavel-doctor-"));
  try {
    const account = await findAccount(join(resolve(dataFolder), "postgres", "data"));
    const { folder } = await findBinaries(account, spare, null);
    return good(
      "database",
      `PostgreSQL of our own, with the programs in ${folder.startsWith(spare) ? "a copy" : folder}`,
    );
  } catch (error) {
    return badError("database", error, "Install PostgreSQL, or set DATABASE_URL.");
  } finally {
    rmSync(spare, { recursive: true, force: true });
  }
}
