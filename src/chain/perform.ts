import type { ChainEvent } from "../domain/event.ts";
import type { Step } from "../domain/step.ts";
import type { ChainDeps } from "./chain-deps.ts";
import type { Decided } from "./decide.ts";
import { recordEvent } from "./record-event.ts";
import { readStepContext, type StepContext } from "./step-context.ts";
import { announce } from "./steps/announce.ts";
import { awaitApproval } from "./steps/await-approval.ts";
import { close } from "./steps/close.ts";
import { judge } from "./steps/judge.ts";
import { preflight } from "./steps/preflight.ts";
import { prepare } from "./steps/prepare.ts";
import { publish } from "./steps/publish.ts";
import { turn } from "./steps/turn.ts";
import { verify } from "./steps/verify.ts";

/**
 * Performs a decided step and records what came of it, once: a repeat after a crash finds its event and does nothing.
 * Rejects when the step could not be performed; the caller tries again.
 */
export async function perform(deps: ChainDeps, chain: string, decided: Decided, signal: AbortSignal): Promise<void> {
  const context = await readStepContext(deps, chain, decided, signal);
  if (context.alreadyDone) return;
  const event = await performKind(context, decided.step);
  // A cancelled step leaves no fact: what it saw was cut off by us.
  if (signal.aborted) signal.throwIfAborted();
  if (event !== null) await recordEvent(deps, chain, `step:${decided.sequence}`, event);
}

/** Everything that leads from a step to its effect. `null`: nothing happened yet, decide again. */
function performKind(context: StepContext, step: Step): Promise<ChainEvent | null> {
  switch (step.kind) {
    case "announce":
      return announce(context);
    case "preflight":
      return preflight(context);
    case "await-approval":
      return awaitApproval(context);
    case "prepare":
      return prepare(context);
    case "turn":
      return turn(context, step);
    case "verify":
      return verify(context, step);
    case "judge":
      return judge(context, step);
    case "publish":
      return publish(context, step);
    case "close":
      return close(context, step);
    case "end":
      return Promise.resolve(null);
  }
}
