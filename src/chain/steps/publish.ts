import type { Published } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import type { StepContext } from "../step-context.ts";
import { publishPullRequest } from "./publish-pull-request.ts";
import { publishReport } from "./publish-report.ts";
import { publishVerdict } from "./publish-verdict.ts";

/** The point of no return: makes the result visible, once. Everything is found or created, so a repeat doubles nothing. */
export async function publish(context: StepContext, step: Extract<Step, { kind: "publish" }>): Promise<Published> {
  await context.deps.durable.assertOwner();
  return { ...(await publishForm(context, step)), why: context.view.decision?.reason ?? "" };
}

async function publishForm(context: StepContext, step: Extract<Step, { kind: "publish" }>): Promise<Published> {
  switch (step.form) {
    case "ready":
    case "draft":
      return await publishPullRequest(context, step.form, step.outcome);
    case "comment":
      return await publishReport(context, step.outcome);
    case "verdict":
      return await publishVerdict(context, step.outcome);
  }
}
