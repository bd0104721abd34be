import type { ShownVerdict } from "./verdict.ts";

export { branchName, nextBranchName } from "./branch-name.ts";
export { commitMessage } from "./commit-message.ts";
export { pullRequestTitle } from "./title.ts";

/** Conclusions of GitHub's check runs that Gavel uses. */
export type CheckConclusion = "success" | "failure" | "action_required" | "cancelled" | "neutral";

/** What a check run can have come to. */
export type CheckResult = ShownVerdict | "red" | "cancelled" | "superseded";

/**
 * The check's conclusion. A required check must not open by our own trouble, so no verdict asks for action, unless the
 * repository wants it neutral (`judge.error_conclusion`).
 */
export function checkConclusion(result: CheckResult, errorConclusion: "action_required" | "neutral"): CheckConclusion {
  switch (result) {
    case "PASS":
      return "success";
    case "NEEDS_WORK":
    case "BLOCKED":
    case "red":
      return "failure";
    case "ERROR":
    case "NOT_RUN":
      return errorConclusion;
    case "cancelled":
      return "cancelled";
    case "superseded":
      return "neutral";
  }
}
