import type { ChainEvent, Judged, TurnFinished, Verified } from "./event.ts";

/** What a draft or a ready pull request may be made of. */
export interface PublishableTree {
  readonly tree: string;
  /** The run that left it. */
  readonly run: 1 | 2;
  readonly verified: Verified;
  /** The round that speaks about this tree and is still current; null where the judges are not asked or asked anew. */
  readonly judged: Judged | null;
}

/**
 * The latest tree with a net change whose policy gate was green, or null. Later work that was cut off or that broke
 * the policy does not hide it, but takes the current verdict from it.
 */
export function publishableTree(events: readonly ChainEvent[]): PublishableTree | null {
  const base = events.find((event) => event.kind === "prepared")?.baseTree;
  const changed = new Set(
    events
      .filter((event) => event.kind === "turn-finished")
      .filter((turn) => turn.netChange && turn.tree !== base)
      .map((turn) => turn.tree),
  );
  const verified = events
    .filter((event) => event.kind === "verified")
    .findLast(({ verification }) => verification.breaches.length === 0 && changed.has(verification.tree));
  if (verified === undefined || verified.run === 0) return null;
  const { tree } = verified.verification;
  const judged = currentRound(events);
  return {
    tree,
    run: verified.run,
    verified,
    judged: judged?.round.binding.headTree === tree ? judged : null,
  };
}

/** All rounds of the panel, in order. */
export function allRounds(events: readonly ChainEvent[]): readonly Judged[] {
  return events.filter((event) => event.kind === "judged");
}

/**
 * The last round, unless a later turn moved the tree or was cut off: the verdict of an earlier attempt is never the
 * current one. A later turn that completed and changed nothing leaves it standing.
 */
export function currentRound(events: readonly ChainEvent[]): Judged | null {
  const at = events.findLastIndex((event) => event.kind === "judged");
  const judged = events[at];
  return judged?.kind === "judged" && turnsAfter(events, at).every(leftAll) ? judged : null;
}

/** The last verification, unless a later turn left another tree. */
export function currentVerification(events: readonly ChainEvent[]): Verified | null {
  const at = events.findLastIndex((event) => event.kind === "verified");
  const verified = events[at];
  const holds = turnsAfter(events, at).every((turn) => turn.tree === turn.startTree);
  return verified?.kind === "verified" && holds ? verified : null;
}

function turnsAfter(events: readonly ChainEvent[], index: number): readonly TurnFinished[] {
  return events.slice(index + 1).filter((event) => event.kind === "turn-finished");
}

function leftAll(turn: TurnFinished): boolean {
  return turn.end === "completed" && turn.tree === turn.startTree;
}
