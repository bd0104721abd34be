import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS, Error as DurableErrors } from "@dbos-inc/dbos-sdk";
import { currentOwnerXid } from "@dbos-inc/dbos-sdk/internal/context";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { migrateSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";
import type { Pool } from "pg";
import { GavelError } from "../errors.ts";
import { expireLeases, startLease, type Lease } from "./lease.ts";

/**
 * The durable engine. This is the only file that knows DBOS, its undocumented inside included; what is relied on is
 * pinned by test/store/durable*.test.ts, so that an upgrade which moves it fails there.
 */
export interface Durable {
  readonly executorId: string;
  /** Names a workflow function. Only inside `register` of {@link launchDurable}: before anything runs. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the caller will start it with
  registerWorkflow<Input>(name: string, work: (input: Input) => Promise<void>): void;
  /**
   * Starts a workflow. The id is its identity: where one of that id exists, running or ended, it is left alone. In a
   * queue it waits for its turn; `partition` is what takes turns there. Not from inside a step.
   */
  startWorkflow(
    name: string,
    id: string,
    input: unknown,
    options?: { readonly queue?: string; readonly partition?: string },
  ): Promise<void>;
  /**
   * Runs a function once and stores what it returns (small, serialisable). After a crash the stored value is
   * returned; only a function that was cut off runs again, so its effects must bear a repeat. Rejects with the last
   * error after `triesMax` tries (default 1; 1 s between the first two, then doubled).
   */
  runStep<T>(name: string, work: () => Promise<T>, options?: { readonly triesMax?: number }): Promise<T>;
  /** Waits until a workflow has ended, and until what it still did in this process has stopped. Never rejects for its sake. */
  awaitWorkflow(id: string): Promise<WorkflowEnd>;
  /** Cancels a workflow: its running step gets the abort signal, it takes no further step. An ended one is left alone. */
  cancelWorkflow(id: string): Promise<void>;
  /** Inside a step: aborted when the step's workflow is cancelled. Elsewhere: never. */
  cancelSignal(): AbortSignal;
  /** Whether an error means "this workflow goes no further here": cancelled, or taken over. To be thrown on, never handled. */
  isCancellation(error: unknown): boolean;
  /** Sends a value to a running workflow; the same key is delivered once. Rejects where there is no such workflow. */
  send(workflow: string, topic: string, value: unknown, idempotencyKey?: string): Promise<void>;
  /** In a workflow: the next value sent under that topic, or null after the time. */
  receive<T>(topic: string, timeoutSeconds: number): Promise<T | null>;
  /**
   * In a step, right before an effect that others see: rejects (with a cancellation) when another process has taken
   * the workflow over, or may have.
   */
  assertOwner(): Promise<void>;
  /** Takes over the work of dead processes; runs by itself too. Returns the ids of the workflows. */
  reapOnce(): Promise<readonly string[]>;
  /**
   * Takes no further step, gives running steps that long to end, and lets go. What is unfinished goes on in the next
   * process. Repeating it changes nothing.
   */
  shutdown(options: { readonly timeoutSeconds: number }): Promise<void>;
}

export type WorkflowEnd = "done" | "cancelled" | "failed";

export interface DurableOptions {
  readonly url: string;
  /** For leases and ownership; the engine has connections of its own. */
  readonly pool: Pool;
  /** With our own server: every other process is dead. */
  readonly exclusive: boolean;
  /** Unique for each start; made up when left out. */
  readonly executorId?: string;
  /** How long a process may be silent before its work is taken over, in seconds. Default 30. */
  readonly leaseSeconds?: number;
  readonly queues: readonly QueueOptions[];
  /** Called with the process-wide engine before it starts: the place for `registerWorkflow`. */
  readonly register: (durable: Durable) => void;
  /** The lease is lost: the process must end at once, without tidying up. */
  readonly onFenced: (reason: string) => void;
  /** What the engine itself has to say. Default: nothing is printed. */
  readonly log?: (level: "debug" | "info" | "warn" | "error", message: string) => void;
}

interface QueueOptions {
  readonly name: string;
  /** Running at once in one partition, over all processes. Default 1. */
  readonly partitionConcurrency?: number;
  /** Running at once in this process. */
  readonly workerConcurrency: number;
  /** Running at once over all processes. */
  readonly globalConcurrency: number;
}

/** The first number of the recovery is so high that a workflow is never given up: the chain counts its own repeats. */
const recoveriesMax = 1_000_000;
const retrySeconds = 1;
const pollMilliseconds = 100;
const drainMilliseconds = 10;
const leaveSecondsMax = 10;
const leaseSecondsDefault = 30;

type WorkflowFunction = (input: unknown) => Promise<void>;

/** Never resolves: a workflow that reaches it while we shut down stays where it is and is resumed elsewhere. */
const forever = new Promise<never>(() => undefined);

/** Brings the engine's own tables up to date. To be called by one process at a time: see migrate.ts. */
export async function migrateDurable(url: string): Promise<void> {
  // DBOS.migrate does the same, but prints.
  await migrateSystemDatabase(url, new GlobalLogger(undefined, { logger: loggerOf(undefined) }));
}

/**
 * Starts the durable engine: takes a lease, registers the workflows and queues, resumes what this or a dead process
 * left unfinished. One at a time in a process. The tables must be up to date (`openDatabase`).
 */
export async function launchDurable(options: DurableOptions): Promise<Durable> {
  if (DBOS.isInitialized()) {
    throw new GavelError("durable-running", "The durable engine runs already.", "Shut it down first.");
  }
  const lease = await startLease(options.pool, {
    executorId: options.executorId ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    ttlSeconds: options.leaseSeconds ?? leaseSecondsDefault,
    exclusive: options.exclusive,
    onFenced: options.onFenced,
  });
  const engine = openEngine(options.pool, lease);
  try {
    DBOS.setConfig({
      name: "gavel",
      systemDatabaseUrl: withIdleLimit(options.url),
      executorID: lease.executorId,
      // Fixed: an upgraded process goes on with what an older one began. Decisions are steps, so it can.
      applicationVersion: "gavel",
      enablePatching: true,
      runMigrations: false,
      systemDatabaseIdleTransactionTimeoutMs: 0,
      logger: loggerOf(options.log),
    });
    options.register(engine.durable);
    await DBOS.launch();
    for (const queue of options.queues) {
      await DBOS.registerQueue(queue.name, {
        partitionConcurrency: queue.partitionConcurrency ?? 1,
        workerConcurrency: queue.workerConcurrency,
        globalConcurrency: queue.globalConcurrency,
        minPollingIntervalMs: pollMilliseconds,
        onConflict: "always_update",
      });
    }
    await engine.durable.reapOnce();
  } catch (error) {
    await DBOS.shutdown({ deregister: true }).catch(() => undefined);
    await lease.release().catch(() => undefined);
    throw error;
  }
  if (!options.exclusive) engine.reapEvery((options.leaseSeconds ?? leaseSecondsDefault) / 3);
  return engine.durable;
}

interface Engine {
  readonly durable: Durable;
  reapEvery(seconds: number): void;
}

function openEngine(pool: Pool, lease: Lease): Engine {
  const workflows = new Map<string, WorkflowFunction>();
  /** Workflows of this process, by id, and how to abort what each is doing. */
  const running = new Map<string, { readonly left: Promise<void>; readonly aborter: AbortController }>();
  const aborters = new AsyncLocalStorage<AbortController>();
  const steps = new Set<Promise<unknown>>();
  let stopping: Promise<void> | null = null;
  let reaper: NodeJS.Timeout | null = null;

  const reapOnce = async (): Promise<readonly string[]> => {
    await expireLeases(pool);
    const { rows } = await pool.query<{ id: string }>(
      `SELECT DISTINCT executor_id AS id FROM dbos.workflow_status AS workflow
       WHERE status = 'PENDING' AND executor_id <> $1 AND NOT EXISTS (
         SELECT FROM gavel.executors AS executor
         WHERE executor.id = workflow.executor_id AND state = 'live' AND expires_at > now())`,
      [lease.executorId],
    );
    if (rows.length === 0) return [];
    // The public way to resume would start a workflow over that a third process has resumed meanwhile.
    const handles = await DBOSExecutor.globalInstance?.recoverPendingWorkflows(rows.map((row) => row.id));
    return handles?.map((handle) => handle.workflowID) ?? [];
  };

  const shutdown = async (timeoutSeconds: number): Promise<void> => {
    if (reaper !== null) clearInterval(reaper);
    const deadline = performance.now() + timeoutSeconds * 1000;
    while (steps.size > 0 && performance.now() < deadline) await sleep(drainMilliseconds);
    await DBOS.shutdown({ deregister: true });
    await lease.release();
  };

  const durable: Durable = {
    executorId: lease.executorId,
    registerWorkflow: (name, work) => {
      const tracked = async (input: unknown): Promise<void> => {
        const { promise: left, resolve } = Promise.withResolvers<void>();
        const aborter = new AbortController();
        const id = DBOS.workflowID ?? "";
        running.set(id, { left, aborter });
        try {
          await aborters.run(aborter, () => work(input as never));
        } finally {
          if (running.get(id)?.aborter === aborter) running.delete(id);
          resolve();
        }
      };
      workflows.set(name, DBOS.registerWorkflow(tracked, { name, maxRecoveryAttempts: recoveriesMax }));
    },
    startWorkflow: async (name, id, input, { queue, partition } = {}) => {
      const workflow = workflows.get(name);
      if (workflow === undefined) throw new Error(`no workflow "${name}" is registered`);
      const place = queue === undefined ? {} : { queueName: queue };
      const turn = partition === undefined ? {} : { enqueueOptions: { queuePartitionKey: partition } };
      await DBOS.startWorkflow(workflow, { workflowID: id, ...place, ...turn })(input);
    },
    runStep: async (name, work, { triesMax = 1 } = {}) => {
      if (stopping !== null) return await forever;
      let tries = 0;
      const step = DBOS.runStep(work, {
        name,
        retriesAllowed: triesMax > 1,
        // One more than can happen: ended by shouldRetry, the last error comes out as it is and not in a wrapper.
        maxAttempts: triesMax + 1,
        intervalSeconds: retrySeconds,
        shouldRetry: async (error) => {
          tries += 1;
          // Not a failure to be stored: the next process has the tries that are left.
          if (stopping !== null) {
            steps.delete(step);
            await forever;
          }
          return tries < triesMax && !isCancellation(error);
        },
      });
      steps.add(step);
      try {
        return await step;
      } finally {
        steps.delete(step);
      }
    },
    awaitWorkflow: async (id) => {
      if (stopping !== null) return await forever;
      await DBOS.waitFirst([DBOS.retrieveWorkflow(id)], { pollingIntervalMs: pollMilliseconds });
      const status = await DBOS.getWorkflowStatus(id);
      // A cancelled workflow counts as ended at once, while its step here may still be killing what it started.
      const left = running.get(id)?.left;
      if (left !== undefined) await Promise.race([left, sleep(leaveSecondsMax * 1000, undefined, { ref: false })]);
      if (status?.status === "SUCCESS") return "done";
      return status?.status === "CANCELLED" ? "cancelled" : "failed";
    },
    cancelWorkflow: async (id) => {
      await DBOS.cancelWorkflow(id);
      // The engine looks for cancels once a second; in this process there is no need to wait for that.
      running.get(id)?.aborter.abort(new DurableErrors.DBOSWorkflowCancelledError(id));
    },
    cancelSignal: () => {
      const signals = [DBOS.stepStatus?.cancelSignal, aborters.getStore()?.signal];
      return AbortSignal.any(signals.filter((signal) => signal !== undefined));
    },
    isCancellation,
    send: (workflow, topic, value, idempotencyKey) => DBOS.send(workflow, value, topic, idempotencyKey),
    receive: async <T>(topic: string, timeoutSeconds: number): Promise<T | null> =>
      stopping === null ? await DBOS.recv<T>(topic, { timeoutSeconds }) : await forever,
    assertOwner: async () => {
      const id = DBOS.workflowID;
      if (id === undefined) throw new Error("assertOwner is for steps of a workflow");
      const { rowCount } = await pool.query(
        "SELECT FROM dbos.workflow_status WHERE workflow_uuid = $1 AND owner_xid = $2 AND status = 'PENDING'",
        [id, currentOwnerXid(id)],
      );
      if (rowCount !== 1 || !lease.isValid()) throw new DurableErrors.DBOSWorkflowConflictError(id);
    },
    reapOnce,
    shutdown: ({ timeoutSeconds }) => (stopping ??= shutdown(timeoutSeconds)),
  };
  return {
    durable,
    reapEvery: (seconds) => {
      // The database being away is nothing to report here: the lease's watch does that.
      reaper = setInterval(() => void reapOnce().catch(() => undefined), seconds * 1000).unref();
    },
  };
}

/**
 * Ends sessions that a frozen process leaves inside a transaction, with their locks. The engine would set this by a
 * query of its own on each new connection, in a way that makes pg print a warning; asked for in the URL it does not.
 */
function withIdleLimit(url: string): string {
  const limited = new URL(url);
  if (!limited.searchParams.has("options")) {
    limited.searchParams.set("options", "-c idle_in_transaction_session_timeout=60000");
  }
  return limited.toString();
}

function isCancellation(error: unknown): boolean {
  return (
    error instanceof DurableErrors.DBOSWorkflowCancelledError ||
    error instanceof DurableErrors.DBOSWorkflowConflictError
  );
}

function loggerOf(log: DurableOptions["log"]): Record<"debug" | "info" | "warn" | "error", (entry: unknown) => void> {
  const say = (level: "debug" | "info" | "warn" | "error") => (entry: unknown) => log?.(level, String(entry));
  return { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
}
