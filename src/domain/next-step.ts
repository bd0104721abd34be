import { afterRun } from "./after-run.ts";
import { afterVerdict } from "./after-verdict.ts";
import { contradictionWords, handOver, report, unexpected } from "./hand-over.ts";
import type { At, Situation } from "./situation.ts";
import type { Decision } from "./step.ts";

/**
 * What a chain does next and why: chain.md "What next", the first matching row wins. Total: every situation that the
 * types can hold has an answer, and an impossible one ends the chain as failed.
 */
export function nextStep(situation: Situation): Decision {
  const { at } = situation;
  switch (at.kind) {
    // Before everything, a contradiction too: the loop must stop.
    case "closed": {
      const outcome = situation.contradiction === null ? at.outcome : "failed";
      return { step: { kind: "end", outcome }, reason: "The chain is closed." };
    }
    case "close-failed":
      return { step: { kind: "end", outcome: "failed" }, reason: "The closing steps could not be performed." };
    // Past the point of no return: a stop or a spent budget is noted, not obeyed.
    case "published":
      return contradicted(situation) ?? afterPublication(at);
    case "step-failed":
      return at.step === "work"
        ? (interrupted(situation) ?? handOver(situation, "failed", "A step could not be performed, after all tries."))
        : (contradicted(situation) ?? afterMuteFailure(at.step));
    case "start":
      return interrupted(situation) ?? { step: { kind: "announce" }, reason: "The chain begins." };
    case "announced":
      return interrupted(situation) ?? { step: { kind: "preflight" }, reason: "Is everything there that is needed?" };
    case "preflighted":
      return interrupted(situation) ?? afterPreflight(situation, at.result);
    case "prepared":
      return interrupted(situation) ?? awaited(situation) ?? afterPreparation(situation);
    case "wrote":
      return interrupted(situation) ?? awaited(situation) ?? afterWriting(situation);
    case "fixable":
      return interrupted(situation) ?? awaited(situation) ?? mend(situation);
    case "run-ended":
      return interrupted(situation) ?? awaited(situation) ?? afterRun(situation, at.end);
    case "head-verified":
      return interrupted(situation) ?? awaited(situation) ?? afterHeadVerified(situation);
    case "judged":
      return interrupted(situation) ?? awaited(situation) ?? afterVerdict(situation, at.verdict);
  }
}

/** Row 1. */
function contradicted({ contradiction }: Situation): Decision | null {
  return contradiction === null ? null : unexpected(contradictionWords[contradiction]);
}

/** Rows 1 to 4, but for the wait: what ends a chain from outside, wherever it stands before publication. */
function interrupted(situation: Situation): Decision | null {
  if (situation.contradiction !== null) return contradicted(situation);
  if (situation.stopRequested) {
    return { step: { kind: "close", outcome: "cancelled" }, reason: "It was asked to stop." };
  }
  if (situation.approval === "refused") {
    return { step: { kind: "close", outcome: "cancelled" }, reason: "The approval was not given." };
  }
  // A missing approval comes before the budget: without it there is nothing that could have been spent.
  if (situation.budget === "spent" && situation.approval !== "missing") {
    return handOver(situation, "failed", "The budget of this chain is spent.");
  }
  return null;
}

/** Row 3: the only thing a chain waits for. */
function awaited({ approval }: Situation): Decision | null {
  return approval === "missing" ? { step: { kind: "await-approval" }, reason: "It waits for an approval." } : null;
}

function afterPreflight(situation: Situation, result: "ok" | "problems"): Decision {
  if (result === "problems") return report("failed", "Something that is needed is missing: nothing was begun.");
  return awaited(situation) ?? { step: { kind: "prepare" }, reason: "Everything is there that is needed." };
}

function afterPreparation({ chain, runs }: Situation): Decision {
  if (runs !== 0) return unexpected("a run began before the workspace was ready");
  return chain === "implement"
    ? { step: { kind: "turn", run: 1, purpose: "write" }, reason: "The workspace is ready: the first run begins." }
    : { step: { kind: "verify", run: 0 }, reason: "The workspace is ready: what do the gates say about the head?" };
}

function afterWriting({ chain, runs }: Situation): Decision {
  if (chain !== "implement" || runs === 0) return unexpected("a run wrote that never began");
  return { step: { kind: "verify", run: runs }, reason: "The tree changed: what do the gates say?" };
}

function mend({ chain, runs }: Situation): Decision {
  if (chain !== "implement" || runs === 0) return unexpected("a run is to be mended that never began");
  return {
    step: { kind: "turn", run: runs, purpose: "fix-gates" },
    reason: "A gate is red: the same run may mend it.",
  };
}

function afterHeadVerified({ chain, runs }: Situation): Decision {
  if (chain !== "judge" || runs !== 0) return unexpected("somebody's head was verified in a chain that writes");
  return { step: { kind: "judge", run: 0 }, reason: "The gates have spoken about the head: now the judges." };
}

function afterPublication(at: Extract<At, { kind: "published" }>): Decision {
  switch (at.result) {
    case "done":
      return { step: { kind: "close", outcome: at.outcome }, reason: "The result is published." };
    case "refused":
      return { step: { kind: "close", outcome: "failed" }, reason: "GitHub refused the publication." };
    case "head-moved":
      return { step: { kind: "close", outcome: "stale" }, reason: "The head moved while it was judged." };
  }
}

/** Where telling failed, telling of the failure would fail too: only the closing steps are left. */
function afterMuteFailure(step: "announce" | "publish"): Decision {
  const what = step === "announce" ? "The chain could not be announced" : "The result could not be published";
  return { step: { kind: "close", outcome: "failed" }, reason: `${what}, after all tries.` };
}
