import type { Closed, Published, StepFailed } from "./event.ts";
import { contradict, outOfOrder, type Fold } from "./fold.ts";
import { closeTriesMax } from "./policy.ts";

export function takePublished(fold: Fold, event: Published): Fold {
  const { at, judged } = fold;
  if (at.kind === "published") return contradict(fold, "published-twice");
  if (at.kind === "closed" || at.kind === "close-failed") return outOfOrder(fold);
  if (event.form === "ready" || event.outcome === "passed") {
    // Silence is never a pass: nothing but a PASS leads here.
    if (at.kind !== "judged" || at.verdict !== "PASS") return outOfOrder(fold);
    if (event.form === "draft" || event.form === "comment") return outOfOrder(fold);
  }
  // What was pushed as ready has to be the very tree that was passed.
  if (event.form === "ready" && event.result === "done" && event.pushedTree !== judged?.round.binding.headTree) {
    return contradict(fold, "verdict-for-another-tree");
  }
  return { ...fold, at: { kind: "published", result: event.result, outcome: event.outcome } };
}

export function takeFailure(fold: Fold, { step }: StepFailed): Fold {
  if (fold.at.kind === "closed" || fold.at.kind === "close-failed") return outOfOrder(fold);
  if (step === "close") {
    // The same facts lead to the same close again, with the outcome it had.
    const closeFailures = fold.closeFailures + 1;
    return { ...fold, closeFailures, at: closeFailures < closeTriesMax ? fold.at : { kind: "close-failed" } };
  }
  const over = fold.at.kind === "published" || (fold.at.kind === "step-failed" && fold.at.step !== "work");
  // After a failed step only publishing and closing are left to fail.
  if (over || (fold.at.kind === "step-failed" && step !== "publish")) return outOfOrder(fold);
  const failed = step === "announce" || step === "publish" ? step : "work";
  return { ...fold, at: { kind: "step-failed", step: failed } };
}

export function takeClosed(fold: Fold, { outcome }: Closed): Fold {
  const { at } = fold;
  if (at.kind === "closed") return outOfOrder(fold);
  const closed: Fold = { ...fold, at: { kind: "closed", outcome } };
  // Silence is never a pass: only a result that was made visible may end so.
  const shown = at.kind === "published" && at.result === "done" && at.outcome === "passed";
  return outcome === "passed" && !shown ? outOfOrder(closed) : closed;
}
