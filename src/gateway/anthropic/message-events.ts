import { createParser } from "eventsource-parser";

type Json = Record<string, unknown>;

/** Longest text of one delta of a replayed stream. */
const deltaCharactersMax = 400;

/** A whole message, as a client that asked for a stream would have got it. */
export function* writeEvents(message: Json): Generator<string> {
  const usage = (message["usage"] ?? {}) as Json;
  const content = Array.isArray(message["content"]) ? (message["content"] as Json[]) : [];
  yield write("message_start", {
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 0 } },
  });
  for (const [index, block] of content.entries()) {
    const { start, deltas } = splitBlock(block);
    yield write("content_block_start", { index, content_block: start });
    for (const delta of deltas) yield write("content_block_delta", { index, delta });
    yield write("content_block_stop", { index });
  }
  yield write("message_delta", {
    delta: { stop_reason: message["stop_reason"] ?? null, stop_sequence: message["stop_sequence"] ?? null },
    usage: { output_tokens: usage["output_tokens"] ?? 0 },
  });
  yield write("message_stop", {});
}

function write(type: string, rest: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
}

/** Block types this knows are streamed piece by piece; any other goes whole into its start event. */
function splitBlock(block: Json): { readonly start: Json; readonly deltas: readonly Json[] } {
  const text = (key: string) => (typeof block[key] === "string" ? block[key] : "");
  switch (block["type"]) {
    case "text":
      return {
        start: { ...block, text: "" },
        deltas: pieces(text("text")).map((piece) => ({ type: "text_delta", text: piece })),
      };
    case "tool_use":
      return {
        start: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block["input"] ?? {})).map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      };
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          ...pieces(text("thinking")).map((piece) => ({ type: "thinking_delta", thinking: piece })),
          { type: "signature_delta", signature: text("signature") },
        ],
      };
    default:
      return { start: block, deltas: [] };
  }
}

/** By code points, so that no character is cut in two. */
function pieces(text: string): readonly string[] {
  const points = Array.from(text);
  const count = Math.ceil(points.length / deltaCharactersMax);
  return Array.from({ length: count }, (_, at) =>
    points.slice(at * deltaCharactersMax, (at + 1) * deltaCharactersMax).join(""),
  );
}

/** The whole message that a stream was made of, or null when it did not come to its end. */
export function readEvents(stream: string): Json | null {
  let message: Json | null = null;
  let ended = false;
  const blocks: Json[] = [];
  const partialInputs = new Map<number, string>();
  const parser = createParser({
    onEvent({ data }) {
      const event = JSON.parse(data) as Json;
      const index = Number(event["index"] ?? 0);
      const block = blocks[index];
      const delta = (event["delta"] ?? {}) as Json;
      switch (event["type"]) {
        case "message_start":
          message = { ...(event["message"] as Json) };
          break;
        case "content_block_start":
          blocks[index] = { ...(event["content_block"] as Json) };
          break;
        case "content_block_delta":
          if (block === undefined) break;
          if (delta["type"] === "input_json_delta")
            partialInputs.set(index, (partialInputs.get(index) ?? "") + String(delta["partial_json"]));
          for (const key of ["text", "thinking", "signature"])
            if (typeof delta[key] === "string")
              block[key] = (typeof block[key] === "string" ? block[key] : "") + delta[key];
          break;
        case "content_block_stop":
          if (block !== undefined && partialInputs.has(index))
            block["input"] = JSON.parse(partialInputs.get(index) || "{}");
          break;
        case "message_delta":
          message = {
            ...message,
            ...delta,
            usage: { ...(message?.["usage"] as Json), ...(event["usage"] as Json) },
          };
          break;
        case "message_stop":
          ended = true;
          break;
      }
    },
  });
  parser.feed(stream);
  return ended && message !== null ? { ...(message as Json), content: blocks } : null;
}
