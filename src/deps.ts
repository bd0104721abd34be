import type { Logger } from "pino";
import type { ChainDeps } from "./chain/chain-deps.ts";
import { startChain, stopChain, wakeChain } from "./chain/chains.ts";
import { createProgress } from "./chain/progress.ts";
import { readView } from "./chain/read-view.ts";
import { registerChain, workQueue } from "./chain/workflow.ts";
import type { CommandDeps } from "./commands/command-deps.ts";
import { readRepositoryRules } from "./commands/read-repository-rules.ts";
import { engineNames, findEngine } from "./engines/table.ts";
import type { Settings } from "./env.ts";
import { openGateway } from "./gateway/gateway.ts";
import { openGitHubApp } from "./github/client.ts";
import { openSandbox } from "./process/open-sandbox.ts";
import { openDatabase } from "./store/database.ts";
import { rubricsVersion } from "./judges/load-rubrics.ts";
import { launchDurable } from "./store/durable.ts";
import { openRecords, type StoredRecords } from "./store/records.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";

/** How long running work gets to end before it is handed over, in seconds. */
const drainSecondsMax = 20;

/** First wait before a run whose engine could not start is tried again, in seconds. */
const startBackOffSeconds = 5;

export interface Assembled {
  readonly records: StoredRecords;
  readonly commands: CommandDeps;
  /** Login of the App's bot. */
  readonly botLogin: string;
  /** Settles when the database's own server is gone. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/**
 * The only place where adapters are built; everything else gets them as arguments. What was opened is closed again when
 * a later part can not be opened.
 */
export async function assemble(
  settings: Settings,
  log: Logger,
  onFenced: (reason: string) => void,
): Promise<Assembled> {
  const stack = new AsyncDisposableStack();
  try {
    const sandbox = await openSandbox({ allowNone: settings.isolation === "none" });
    const database = await openDatabase(settings.database, {
      onConnectionError: (error) => log.warn({ err: error }, "a database connection broke"),
    });
    stack.defer(() => database.close());
    const records = openRecords(database.pool);
    const app = await openGitHubApp(settings.github);
    const gateway = await openGateway({
      upstream: settings.anthropic === null ? null : { anthropic: settings.anthropic },
      cassette: settings.cassette === null ? null : { mode: "replay", path: settings.cassette },
      prices: settings.prices,
      spending: {
        reserve: (chain, call) => records.reserveSpending(chain, call),
        settle: (reservation, used) => records.settleSpending(reservation, used),
        read: (chain) => records.readSpending(chain),
      },
    });
    stack.defer(() => gateway.close());
    const secrets = [settings.github.privateKey, settings.webhookSecret, settings.anthropic?.apiKey ?? ""].filter(
      (secret) => secret !== "",
    );
    const progress = createProgress({ records, app, secrets, log });
    stack.defer(() => progress.stop());
    const withoutDurable: Omit<ChainDeps, "durable"> = {
      records,
      app,
      workspace: openWorkspace(settings.dataFolder),
      dataFolder: settings.dataFolder,
      sandbox,
      gateway,
      findEngine,
      engineNames,
      models: settings.models,
      secrets,
      startBackOffSeconds,
      log,
      progress,
    };
    const durable = await launchDurable({
      url: database.url,
      pool: database.pool,
      exclusive: database.embedded,
      queues: [
        {
          name: workQueue,
          partitionConcurrency: settings.limits.chainsPerRepository,
          workerConcurrency: settings.limits.chainsAtOnce,
          globalConcurrency: settings.limits.chainsAtOnce,
        },
      ],
      register: (engine) => registerChain({ ...withoutDurable, durable: engine }),
      onFenced,
      log: (level, message) => log[level === "info" ? "debug" : level]({ from: "durable" }, message),
    });
    stack.defer(() => durable.shutdown({ timeoutSeconds: drainSecondsMax }));
    const chain: ChainDeps = { ...withoutDurable, durable };
    const defaults = { engine: settings.engine, recordedModel: settings.cassette !== null };
    const commands: CommandDeps = {
      app,
      records,
      secrets,
      readRules: (github) => readRepositoryRules(app, github, settings.offer, rubricsVersion()),
      startChain: (trigger, config, approval) => startChain(chain, defaults, trigger, config, approval),
      stopChain: (id, key, stop) => stopChain(chain, id, key, stop),
      wakeChain: (id) => wakeChain(chain, id),
      viewChain: (id) => readView(chain, id),
    };
    const opened = stack.move();
    return {
      records,
      commands,
      botLogin: app.botLogin,
      lost: database.lost,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
