import type { Pool } from "pg";
import type { Records } from "./record.ts";

/** The spending book: a row with the most a call may cost before it is made, and what it did cost after it. */
export function openSpending(pool: Pool): Pick<Records, "reserveSpending" | "settleSpending" | "readSpending"> {
  return {
    reserveSpending: async (chain, call) => {
      const { rows } = await pool.query<{ id: string }>({
        name: "reserve-spending",
        text: `INSERT INTO gavel.spending (chain_id, role, run, turn, model, tokens_max, usd_max)
               VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
        values: [chain, call.role, call.run, call.turn, call.model, call.tokensMax, call.usdMax],
      });
      const id = rows[0]?.id;
      if (id === undefined) throw new Error("the reservation was not stored");
      return id;
    },
    settleSpending: async (reservation, used) => {
      await pool.query({
        name: "settle-spending",
        text: `UPDATE gavel.spending SET settled_at = now(), input_tokens = $2, output_tokens = $3,
                 cached_input_tokens = $4, usd = $5
               WHERE id = $1 AND settled_at IS NULL`,
        values: [reservation, used.inputTokens, used.outputTokens, used.cachedInputTokens, used.usd],
      });
    },
    readSpending: async (chain) => {
      const { rows } = await pool.query<{ tokens: string; usd: string | null; calls: number }>({
        name: "read-spending",
        text: `SELECT coalesce(sum(tokens), 0) AS tokens, count(*)::int AS calls,
                 CASE WHEN bool_or(usd IS NULL) THEN NULL ELSE coalesce(sum(usd), 0) END AS usd
               FROM (SELECT CASE WHEN settled_at IS NULL THEN tokens_max ELSE input_tokens + output_tokens END AS tokens,
                            CASE WHEN settled_at IS NULL THEN usd_max ELSE usd END AS usd
                     FROM gavel.spending WHERE chain_id = $1) AS calls`,
        values: [chain],
      });
      const row = rows[0];
      return {
        tokens: Number(row?.tokens ?? 0),
        usd: row === undefined || row.usd === null ? null : Number(row.usd),
        calls: row?.calls ?? 0,
      };
    },
  };
}
