import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { Trigger } from "../../src/domain/trigger.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";

// Servers and processes are real: on a busy machine their starts take their time, and that is no failure.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A folder of the test's own, and the way to remove it. */
export function makeTemporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "gavel-store-"));
  return {
    path,
    remove: () => {
      chmodSync(path, 0o700);
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

export interface TestDatabase extends Database {
  readonly dataFolder: string;
  /** Closes it, but leaves its folder to be opened again; `close` then only removes the folder. */
  closeKeepingData(): Promise<void>;
}

/** A database on a PostgreSQL of the test's own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = makeTemporaryFolder();
  const dataFolder = join(folder.path, "data");
  const database = await openDatabase({ dataFolder });
  return {
    ...database,
    dataFolder,
    closeKeepingData: () => database.close(),
    close: async () => {
      await database.close();
      folder.remove();
    },
  };
}

/** A second database on the same server, by URL. */
export function urlOf(database: Database, name: string): string {
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return url.toString();
}

/** Waits until something is so; fails after a minute, saying what was waited for. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited a minute in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function triggerOf(deliveryId: string, itemNumber = 1, repositoryId = 10): Trigger {
  return {
    hookId: "hook",
    deliveryId,
    cause: "label",
    kind: "implement",
    repository: { installationId: 5, id: repositoryId, owner: "octo-org", name: "sample", defaultBranch: "main" },
    item: { kind: "issue", number: itemNumber },
    person: { login: "maintainer", type: "User" },
    brief: { title: "Mend it", body: "It is\u0000 broken \ud800", instructions: "", author: null, url: "" },
    commentId: null,
    seenAt: { kind: "issue", number: itemNumber },
    headSha: null,
    at: "2026-11-01T12:00:00Z",
  };
}
