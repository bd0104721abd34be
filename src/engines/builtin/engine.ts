import { existsSync } from "node:fs";
import type { ModelMessage } from "ai";
import type { Problem } from "../../domain/event.ts";
import type { Sandbox } from "../../process/sandbox.ts";
import type { Engine, TurnRequest, TurnResult } from "../engine.ts";
import { askModel } from "./ask-model.ts";
import type { ToolBox } from "./box.ts";
import { openToolBox, toolServerFile } from "./box.ts";
import { readSession, writeSession } from "./session.ts";
import { makeToolSet } from "./tool-set.ts";
import type { Ending } from "./turn-end.ts";
import { endOfError } from "./turn-end.ts";

/** Said to a model whose reply was cut off at its longest. */
const cutOff = "Your reply was cut off at the greatest length. Go on from there, in smaller steps.";

/** The engine that Gavel brings along: a plain loop of model and tools. The loop is ours, the tools' hands are in the box. */
export function createBuiltinEngine(): Engine {
  return { name: "builtin", check, turn };
}

function check(): Promise<readonly Problem[]> {
  if (existsSync(toolServerFile)) return Promise.resolve([]);
  const message = `The built-in engine's tools are missing: ${toolServerFile}.`;
  return Promise.resolve([{ code: "engine-incomplete", message, cure: "Install Gavel again." }]);
}

async function turn(request: TurnRequest, sandbox: Sandbox): Promise<TurnResult> {
  const earlier = readSession(request.session);
  if (earlier === null) return nothing("could-not-start", "the session of the turn before can not be read");

  const timeout = AbortSignal.timeout(request.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([request.signal, timeout]);
  /** An abort from outside explains whatever else went wrong because of it. */
  const stopped = (): Ending | null => {
    if (request.signal.aborted) return { end: "cancelled", reason: "cancelled" };
    if (timeout.aborted) return { end: "timed-out", reason: `stopped after ${request.timeoutSeconds} seconds` };
    const spent = request.access.budgetSpent();
    return spent === null ? null : { end: "limit", reason: spent };
  };

  let box: ToolBox;
  try {
    box = await openToolBox(sandbox, { ...request, signal });
  } catch (error) {
    const { end, reason } = stopped() ?? { end: "could-not-start", reason: messageOf(error) };
    return nothing(end, reason);
  }
  try {
    return await converse(request, earlier, box, signal, stopped);
  } finally {
    await box.close();
  }
}

async function converse(
  request: TurnRequest,
  earlier: readonly ModelMessage[],
  box: ToolBox,
  signal: AbortSignal,
  stopped: () => Ending | null,
): Promise<TurnResult> {
  const { access, system, mode, onProgress } = request;
  const messages: ModelMessage[] = [...earlier, { role: "user", content: request.prompt }];
  const tools = makeToolSet(mode, box, onProgress);
  const finish = ({ end, reason }: Ending, reply: string): TurnResult => ({
    end,
    reason,
    reply,
    session: writeSession(messages),
  });

  let reply = "";
  for (let call = 1; call <= request.modelCallsMax; call += 1) {
    try {
      const step = await askModel({ access, system, messages, tools, signal });
      messages.push(...step.messages);
      reply = step.text;
      if (step.text.trim() !== "") onProgress({ kind: "text", text: step.text });
      const ending = stopped() ?? (step.toolCalls > 0 ? box.failed() : null);
      if (ending !== null) return finish(ending, reply);
      if (step.finishReason === "content-filter")
        return finish({ end: "refused", reason: "the model refused the task" }, reply);
      if (step.toolCalls > 0) continue;
      if (step.finishReason === "length") messages.push({ role: "user", content: cutOff });
      else if (reply.trim() === "") return finish({ end: "no-answer", reason: "the model's last reply is empty" }, "");
      else return finish({ end: "completed", reason: "the model ended its turn" }, reply);
    } catch (error) {
      const ending = stopped() ?? endOfError(error, call === 1);
      // A prompt that nothing was answered to is not part of the conversation: the turn will be asked for again.
      return call === 1 ? { ...ending, reply, session: request.session } : finish(ending, reply);
    }
  }
  return finish({ end: "limit", reason: `stopped after ${request.modelCallsMax} calls to the model` }, reply);
}

function nothing(end: Ending["end"], reason: string): TurnResult {
  return { end, reason, reply: "", session: null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
