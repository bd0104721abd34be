import { hostname } from "node:os";
import type { Pool } from "pg";

/** A process's claim to be alive, in the database. Work of a process without one is taken over by others. */
export interface Lease {
  readonly executorId: string;
  /** False as soon as others may hold us for dead: then nothing that others see may be done any more. */
  isValid(): boolean;
  /** Ends the lease, so that others need not wait until it runs out. Repeating it changes nothing. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  /** Unique for each start of a process. */
  readonly executorId: string;
  readonly ttlSeconds: number;
  /** Our own server, so every other process is dead: no lease of theirs is waited out. */
  readonly exclusive: boolean;
  /**
   * Called once when the lease is lost, or could not be renewed for 80 % of its time. The process must end then:
   * another one has begun, or is about to begin, what this one is doing.
   */
  readonly onFenced: (reason: string) => void;
}

const watchMilliseconds = 100;

/** Takes a lease and renews it. Times are the database's: the machines' clocks may differ. */
export async function startLease(pool: Pool, options: LeaseOptions): Promise<Lease> {
  const { executorId, ttlSeconds } = options;
  const validMilliseconds = ttlSeconds * 800;
  let renewedAt = performance.now();
  await pool.query(
    `INSERT INTO gavel.executors (id, host, pid, expires_at) VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
    [executorId, hostname(), process.pid, ttlSeconds],
  );
  if (options.exclusive) {
    await pool.query("UPDATE gavel.executors SET state = 'dead' WHERE state = 'live' AND id <> $1", [executorId]);
  }

  let ended = false;
  const fence = (reason: string): void => {
    if (ended) return;
    end();
    options.onFenced(reason);
  };
  const renew = async (): Promise<void> => {
    // Taken before the question: the answer may be old when it arrives.
    const askedAt = performance.now();
    try {
      const { rowCount } = await pool.query(
        `UPDATE gavel.executors SET expires_at = now() + $2 * interval '1 second'
         WHERE id = $1 AND state = 'live' AND expires_at > now()`,
        [executorId, ttlSeconds],
      );
      if (rowCount === 0) fence(`the lease of ${executorId} was taken away`);
      else renewedAt = askedAt;
    } catch {
      // The database is away: the watch below decides how long that may last.
    }
  };
  const renewal = setInterval(() => void renew(), ttlSeconds * 200).unref();
  const watch = setInterval(() => {
    const milliseconds = performance.now() - renewedAt;
    if (milliseconds > validMilliseconds) fence(`no heartbeat for ${Math.round(milliseconds / 1000)} s`);
  }, watchMilliseconds).unref();
  const end = (): void => {
    ended = true;
    clearInterval(renewal);
    clearInterval(watch);
  };

  return {
    executorId,
    isValid: () => !ended && performance.now() - renewedAt < validMilliseconds,
    release: async () => {
      if (ended) return;
      end();
      await pool.query("UPDATE gavel.executors SET state = 'stopped', expires_at = now() WHERE id = $1", [executorId]);
    },
  };
}

/** Marks as dead whose lease ran out. Safe to be run by everybody at the same time. */
export async function expireLeases(pool: Pool): Promise<void> {
  await pool.query("UPDATE gavel.executors SET state = 'dead' WHERE state = 'live' AND expires_at < now()");
}
