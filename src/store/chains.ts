import type { Pool } from "pg";
import type { Trigger } from "../domain/trigger.ts";
import type { ChainRow, Records } from "./record.ts";

type Chains = Pick<
  Records,
  | "openChain"
  | "readPinned"
  | "readChain"
  | "runningChain"
  | "lastChain"
  | "chainBefore"
  | "endChain"
  | "chainsAhead"
  | "chainsOfDay"
>;

interface Row {
  readonly id: string;
  readonly trigger: Trigger;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly outcome: string | null;
}

/** Looks at a slot that another process takes or frees at the very same moment. */
const openTriesMax = 20;

export function openChains(pool: Pool): Chains {
  const one = async <T extends object>(text: string, values: unknown[]): Promise<T | null> =>
    (await pool.query<T>(text, values)).rows[0] ?? null;
  const idOf = async (text: string, values: unknown[]): Promise<string | null> =>
    (await one<{ id: string }>(text, values))?.id ?? null;

  return {
    openChain: async (id, trigger, pinned) => {
      for (let tries = 0; tries < openTriesMax; tries++) {
        const found = await one<{ kind: "opened" | "exists" | "busy"; chain: string }>(openStatement, [
          id,
          trigger.hookId,
          trigger.deliveryId,
          trigger.repository.id,
          trigger.item.number,
          JSON.stringify(trigger),
          JSON.stringify(pinned ?? null),
        ]);
        // Nothing: a chain of another process was in the way and is not visible to this statement yet, or not any more.
        if (found !== null) return { kind: found.kind, chain: found.chain };
      }
      throw new Error(`chain ${id} could not be opened: its id is taken, or its slot changes hands all the time`);
    },
    readPinned: async (chain) =>
      (await one<{ pinned: unknown }>("SELECT pinned FROM gavel.chains WHERE id = $1", [chain]))?.pinned ?? null,
    readChain: async (chain) => {
      const row = await one<Row>("SELECT id, trigger, started_at, ended_at, outcome FROM gavel.chains WHERE id = $1", [
        chain,
      ]);
      return row === null ? null : toChainRow(row);
    },
    runningChain: (repositoryId, itemNumber) =>
      idOf("SELECT id FROM gavel.chains WHERE repository_id = $1 AND item_number = $2 AND ended_at IS NULL", [
        repositoryId,
        itemNumber,
      ]),
    lastChain: (repositoryId, itemNumber) =>
      idOf("SELECT id FROM gavel.chains WHERE repository_id = $1 AND item_number = $2 ORDER BY place DESC LIMIT 1", [
        repositoryId,
        itemNumber,
      ]),
    chainBefore: (chain) =>
      idOf(
        `SELECT other.id FROM gavel.chains AS other
         JOIN gavel.chains AS this USING (repository_id, item_number)
         WHERE this.id = $1 AND other.place < this.place ORDER BY other.place DESC LIMIT 1`,
        [chain],
      ),
    endChain: async (chain, outcome) => {
      await pool.query("UPDATE gavel.chains SET ended_at = now(), outcome = $2 WHERE id = $1 AND ended_at IS NULL", [
        chain,
        outcome,
      ]);
    },
    chainsOfDay: async (repositoryId) => {
      const row = await one<{ count: number }>(
        `SELECT count(*)::int AS count FROM gavel.chains
         WHERE repository_id = $1 AND started_at > now() - interval '24 hours'`,
        [repositoryId],
      );
      return row?.count ?? 0;
    },
    chainsAhead: async (chain) => {
      const row = await one<{ in_repository: number; in_all: number }>(
        `SELECT count(*) FILTER (WHERE other.repository_id = this.repository_id)::int AS in_repository,
                count(*)::int AS in_all
         FROM gavel.chains AS this, gavel.chains AS other
         WHERE this.id = $1 AND other.place < this.place AND other.ended_at IS NULL`,
        [chain],
      );
      return { inRepository: row?.in_repository ?? 0, inAll: row?.in_all ?? 0 };
    },
  };
}

/** One round trip: the row is the chain and the slot at once, held by the partial unique index. */
const openStatement = `
  WITH opened AS (
    INSERT INTO gavel.chains (id, hook_id, delivery_id, repository_id, item_number, trigger, pinned)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT 'opened' AS kind, id AS chain, 0 AS rank FROM opened
  UNION ALL
  SELECT 'exists', id, 1 FROM gavel.chains WHERE hook_id = $2 AND delivery_id = $3
  UNION ALL
  SELECT 'busy', id, 2 FROM gavel.chains WHERE repository_id = $4 AND item_number = $5 AND ended_at IS NULL
  ORDER BY rank LIMIT 1`;

function toChainRow(row: Row): ChainRow {
  return {
    id: row.id,
    trigger: row.trigger,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    outcome: row.outcome,
  };
}
