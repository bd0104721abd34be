import type { CheckConclusion } from "../domain/publication.ts";
import { findOrCreateCheckRun } from "../github/check-run.ts";
import type { CheckOutput } from "../text/check-output.ts";
import type { StepContext } from "./step-context.ts";

/** Stands for one chain on one commit: found again by it, whichever process asks. */
const externalId = (chain: string, sha: string): string => `${chain}:${sha}`;

/** Pull-request chains show their check from the first moment on, so that nobody merges in the meantime. */
export async function openCheckRun(context: StepContext, sha: string): Promise<number> {
  const { id } = await findOrCreateCheckRun(context.github, {
    sha,
    externalId: externalId(context.chain, sha),
    status: "in_progress",
    conclusion: null,
    detailsUrl: context.pinned.circumstances.runUrl,
    output: { title: "Gavel is at work", summary: "The verdict comes here.", text: "", annotations: [] },
  });
  return id;
}

/** Makes the check say how it ended. */
export async function completeCheckRun(
  context: StepContext,
  sha: string,
  conclusion: CheckConclusion,
  output: CheckOutput,
): Promise<number> {
  const { id } = await findOrCreateCheckRun(context.github, {
    sha,
    externalId: externalId(context.chain, sha),
    status: "completed",
    conclusion,
    detailsUrl: context.pinned.circumstances.runUrl,
    output,
  });
  return id;
}
