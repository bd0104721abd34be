import type { Approved, ChainEvent } from "./event.ts";
import { contradict, nothingYet, outOfOrder, type Fold } from "./fold.ts";
import { takeClosed, takeFailure, takePublished } from "./fold-end.ts";
import { takeJudged, takePrepared, takeTurn, takeVerified } from "./fold-work.ts";
import type { Policy } from "./policy.ts";
import { publishableTree } from "./publishable-tree.ts";
import type { Situation } from "./situation.ts";

/**
 * Folds the record of a chain into what a decision may depend on. Never throws: facts that can not be true together
 * are a contradiction, which stays.
 *
 * It asks only whether the order is possible, never whether today's rules would have decided so: a record that
 * yesterday's rules made must stay readable.
 */
export function summarise(events: readonly ChainEvent[], policy: Policy): Situation {
  const fold = events.reduce((before, event) => take(before, event, policy), nothingYet);
  return {
    chain: fold.started?.trigger.kind ?? "implement",
    contradiction: fold.started === null ? "event-out-of-order" : fold.contradiction,
    stopRequested: fold.stopRequested,
    approval: fold.approval,
    budget: fold.budget,
    runs: fold.runs,
    mayRevise: fold.runs <= policy.maxRevisions,
    draft: publishableTree(events) === null ? "impossible" : "possible",
    lastVerdict: fold.judged?.round.verdict ?? null,
    at: fold.at,
  };
}

function take(fold: Fold, event: ChainEvent, policy: Policy): Fold {
  if ((fold.started === null) !== (event.kind === "chain-started")) return contradict(fold, "event-out-of-order");
  switch (event.kind) {
    case "chain-started": {
      const needed = event.approval === "needed" || policy.approval === "needed";
      return { ...fold, started: event, approval: needed ? "missing" : "not-needed" };
    }
    // What comes from outside may come at any time.
    case "approved":
      return fold.approval === "missing" && !isOwnApproval(fold, event) ? { ...fold, approval: "granted" } : fold;
    case "approval-refused":
      return fold.approval === "missing" ? { ...fold, approval: "refused" } : fold;
    case "stop-requested":
      return { ...fold, stopRequested: true };
    case "budget-spent":
      return { ...fold, budget: "spent" };
    // What follows is the answer to a step.
    case "announced":
      return fold.at.kind === "start" ? { ...fold, at: { kind: "announced" } } : outOfOrder(fold);
    case "preflighted": {
      const result = event.problems.length === 0 ? "ok" : "problems";
      return fold.at.kind === "announced" ? { ...fold, at: { kind: "preflighted", result } } : outOfOrder(fold);
    }
    case "prepared":
      return takePrepared(fold, event);
    case "turn-finished":
      return takeTurn(fold, event, policy);
    case "verified":
      return takeVerified(fold, event, policy);
    case "judged":
      return takeJudged(fold, event);
    case "published":
      return takePublished(fold, event);
    case "step-failed":
      return takeFailure(fold, event);
    case "closed":
      return takeClosed(fold, event);
  }
  // A record may hold what a newer version wrote: reachable in spite of the types.
  return contradict(fold, "unknown-event");
}

/** Nobody approves what they asked for themselves. */
function isOwnApproval(fold: Fold, { by }: Approved): boolean {
  return fold.started?.trigger.person.login.toLowerCase() === by.login.toLowerCase();
}
