import type { ApprovalRefused } from "../../domain/event.ts";
import { approvalDaysMax } from "../../domain/policy.ts";
import type { StepContext } from "../step-context.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Nothing to do but to see whether the wait is over: a grant or a refusal is an event that comes from outside. */
export function awaitApproval(context: StepContext): Promise<ApprovalRefused | null> {
  const since = context.view.timeline[0]?.at ?? new Date();
  const over = Date.now() - since.getTime() > approvalDaysMax * dayMilliseconds;
  return Promise.resolve(
    over ? { kind: "approval-refused", by: null, reason: `nobody approved it within ${approvalDaysMax} days` } : null,
  );
}
