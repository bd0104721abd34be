import type { Pool } from "pg";
import type { ChainEvent } from "../domain/event.ts";
import type { Records } from "./record.ts";

const uniqueViolation = "23505";

/**
 * The events of a chain. Their number comes from a counter in the chain's row, so that the row's lock puts writers in
 * order: a number read from the events themselves could be stale by the time the lock is granted.
 */
export function openEvents(pool: Pool): Pick<Records, "appendEvent" | "readEvents"> {
  const sequenceOf = async (chain: string, key: string): Promise<number | null> => {
    const { rows } = await pool.query<{ sequence: number }>(
      "SELECT sequence FROM gavel.events WHERE chain_id = $1 AND key = $2",
      [chain, key],
    );
    return rows[0]?.sequence ?? null;
  };

  return {
    appendEvent: async (chain, key, event) => {
      try {
        const { rows } = await pool.query<{ sequence: number }>({
          name: "append-event",
          text: `WITH counted AS (
                   UPDATE gavel.chains SET next_sequence = next_sequence + 1
                   WHERE id = $1
                   RETURNING next_sequence - 1 AS sequence
                 )
                 INSERT INTO gavel.events (chain_id, sequence, key, at, event)
                 SELECT $1, sequence, $2, clock_timestamp(), $3::json FROM counted
                 RETURNING sequence`,
          values: [chain, key, JSON.stringify(event)],
        });
        if (rows[0] !== undefined) return rows[0].sequence;
      } catch (error) {
        // The key stands already; our counting is undone with the statement, so there is no gap.
        if ((error as { code?: string }).code !== uniqueViolation) throw error;
      }
      const sequence = await sequenceOf(chain, key);
      if (sequence === null) throw new Error(`there is no chain ${chain} to append "${key}" to`);
      return sequence;
    },
    readEvents: async (chain) => {
      const { rows } = await pool.query<{ sequence: number; key: string; at: Date; event: ChainEvent }>(
        "SELECT sequence, key, at, event FROM gavel.events WHERE chain_id = $1 ORDER BY sequence",
        [chain],
      );
      return rows;
    },
  };
}
