import type { Pool } from "pg";
import type { Decision } from "../domain/step.ts";
import type { Records } from "./record.ts";

/** Decisions, one for each state of a chain: the first that is stored stands, whatever a later version would decide. */
export function openDecisions(pool: Pool): Pick<Records, "recordDecision" | "lastDecision"> {
  const read = async (text: string, values: unknown[]): Promise<Decision | null> =>
    (await pool.query<{ decision: Decision }>(text, values)).rows[0]?.decision ?? null;

  return {
    recordDecision: async (chain, sequence, decision, version) => {
      const stored = await read(
        `INSERT INTO gavel.decisions (chain_id, sequence, decision, version)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING decision`,
        [chain, sequence, JSON.stringify(decision), version],
      );
      if (stored !== null) return stored;
      const first = await read("SELECT decision FROM gavel.decisions WHERE chain_id = $1 AND sequence = $2", [
        chain,
        sequence,
      ]);
      if (first === null) throw new Error(`decision ${sequence} of chain ${chain} is gone`);
      return first;
    },
    lastDecision: (chain) =>
      read("SELECT decision FROM gavel.decisions WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1", [chain]),
  };
}
