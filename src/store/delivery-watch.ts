import type { Pool, PoolClient } from "pg";

const channel = "gavel_deliveries";

/**
 * Tells who drains that there is something to drain.
 *
 * The message between processes is a statement of its own, after the insert and merged with others on the way: a
 * NOTIFY inside the insert's transaction would make all commits queue up behind one lock, and the reply to GitHub
 * waits for the commit.
 */
export function watchDeliveries(
  pool: Pool,
  pollMilliseconds = 5_000,
): {
  announce(): void;
  onDelivery(callback: () => void): () => Promise<void>;
} {
  const callbacks = new Set<() => void>();
  let telling: "no" | "yes" | "again" = "no";

  const tellOthers = async (): Promise<void> => {
    telling = "yes";
    // A lost message costs the others at most one poll.
    await pool.query(`NOTIFY ${channel}`).catch(() => undefined);
    const again = (telling as string) === "again";
    telling = "no";
    if (again) await tellOthers();
  };

  return {
    announce: () => {
      for (const callback of callbacks) callback();
      if (telling === "no") void tellOthers();
      else telling = "again";
    },
    onDelivery: (callback) => {
      let scheduled = false;
      const call = (): void => {
        if (scheduled) return;
        scheduled = true;
        setImmediate(() => {
          scheduled = false;
          if (callbacks.has(call)) callback();
        });
      };
      callbacks.add(call);
      const listener = listen(pool, call);
      const poll = setInterval(() => {
        call();
        listener.check();
      }, pollMilliseconds);
      call();
      return async () => {
        callbacks.delete(call);
        clearInterval(poll);
        await listener.stop();
      };
    },
  };
}

/** Keeps one connection that listens; where it breaks, the next poll makes another. */
function listen(pool: Pool, call: () => void): { check(): void; stop(): Promise<void> } {
  let client: PoolClient | null = null;
  let give = (): void => undefined;
  let connecting: Promise<void> | null = null;
  let stopped = false;

  const connect = async (): Promise<void> => {
    const fresh = await pool.connect();
    // Given back by destroying it, never for reuse: it listens. And given back in every case, or the pool never ends.
    const drop = once(() => {
      if (client === fresh) client = null;
      fresh.release(true);
    });
    fresh.on("error", drop);
    fresh.on("end", drop);
    fresh.on("notification", call);
    give = drop;
    try {
      await fresh.query(`LISTEN ${channel}`);
      client = fresh;
    } catch (error) {
      drop();
      throw error;
    }
  };

  const check = (): void => {
    if (stopped || client !== null || connecting !== null) return;
    connecting = connect()
      .then(call)
      .catch(() => undefined)
      .finally(() => {
        connecting = null;
      });
  };
  check();
  return {
    check,
    stop: async () => {
      stopped = true;
      await connecting;
      give();
    },
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
