import { writeFileSync } from "node:fs";

/** One part of a recorded reply: words, or the use of a tool. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** One recorded reply of the model. */
export interface Reply {
  readonly parts: readonly Part[];
  /** How long the replay waits before it answers, in milliseconds. */
  readonly delayMilliseconds?: number;
}

/** Replies of one turn or one judge, in the order of its calls. */
export interface Recorded {
  /** `implementer/builtin/run1/turn1`, `judge/code/run1/turn0` … */
  readonly caller: string;
  readonly replies: readonly Reply[];
}

export const says = (text: string): Part => ({ type: "text", text });
export const uses = (name: string, input: Readonly<Record<string, unknown>>): Part => ({
  type: "tool_use",
  name,
  input,
});
export const reply = (...parts: readonly Part[]): Reply => ({ parts });

/** Writes the replies as the file that the gateway replays. */
export function writeRecording(path: string, recorded: readonly Recorded[]): void {
  const lines = recorded.flatMap(({ caller, replies }) =>
    replies.map((item, index) =>
      JSON.stringify({
        key: `${caller}/${index + 1}`,
        ...(item.delayMilliseconds === undefined ? {} : { delayMs: item.delayMilliseconds }),
        response: { status: 200, body: messageOf(`${caller}/${index + 1}`, item) },
      }),
    ),
  );
  writeFileSync(path, `${lines.join("\n")}\n`);
}

/** A message as Anthropic's Messages API gives it. Tokens are counted as a quarter of the characters. */
function messageOf(key: string, { parts }: Reply): unknown {
  const id = key.replaceAll(/[^a-z0-9]/gi, "_");
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "recorded",
    content: parts.map((part, index) => (part.type === "tool_use" ? { ...part, id: `toolu_${id}_${index}` } : part)),
    stop_reason: parts.some((part) => part.type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1_200, output_tokens: Math.ceil(JSON.stringify(parts).length / 4) },
  };
}
