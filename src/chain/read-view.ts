import { viewChain, type ChainView } from "../text/chain-view.ts";
import type { ChainDeps } from "./chain-deps.ts";
import { readPinned } from "./decide.ts";

/** A chain as texts see it, as it stands now; null where there is none. */
export async function readView(deps: Pick<ChainDeps, "records">, chain: string): Promise<ChainView | null> {
  const [row, timeline, decision, ahead] = await Promise.all([
    deps.records.readChain(chain),
    deps.records.readEvents(chain),
    deps.records.lastDecision(chain),
    deps.records.chainsAhead(chain),
  ]);
  if (row === null) return null;
  const { circumstances } = await readPinned(deps, chain);
  return viewChain({ chain, trigger: row.trigger, circumstances, timeline, decision, ahead });
}
