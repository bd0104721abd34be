import type { Pool } from "pg";
import { openBlobs } from "./blobs.ts";
import { openChains } from "./chains.ts";
import { openDecisions } from "./decisions.ts";
import { openDeliveries, type DeliveryWatch } from "./deliveries.ts";
import { openEvents } from "./events.ts";
import type { Records } from "./record.ts";
import { openSpending } from "./spending.ts";

export interface StoredRecords extends Records, DeliveryWatch {}

/** The record in PostgreSQL. Holds nothing but the pool: any number of processes may open it on one database. */
export function openRecords(pool: Pool): StoredRecords {
  return {
    ...openDeliveries(pool),
    ...openChains(pool),
    ...openEvents(pool),
    ...openDecisions(pool),
    ...openBlobs(pool),
    ...openSpending(pool),
  };
}
