import { migrateSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";

const quiet = { info: () => undefined, debug: () => undefined, warn: () => undefined, error: () => undefined };

/** Brings the engine's own tables up to date. To be called by one process at a time: see migrate.ts. */
export async function migrateDurable(url: string): Promise<void> {
  // DBOS.migrate does the same, but prints.
  await migrateSystemDatabase(url, new GlobalLogger(undefined, { logger: quiet }));
}
