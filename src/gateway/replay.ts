import { setTimeout as wait } from "node:timers/promises";
import { writeEvents } from "./anthropic/message-events.ts";
import type { MessagesRequest } from "./anthropic/request.ts";
import type { CassetteLine } from "./cassette.ts";
import { shapeOf } from "./cassette.ts";
import type { Source, SourceRefusal } from "./source.ts";

/** Bytes of a request for one token, on the low side. */
const bytesPerToken = 4;

/** Answers from a recording. A call that is not in it, or that looks different, is refused: never guessed. */
export function openReplay(lines: ReadonlyMap<string, CassetteLine>): Source {
  return async ({ key, request, kind, signal }) => {
    if (kind === "count-tokens") {
      const body = JSON.stringify({ input_tokens: Math.ceil(request.bytes.length / bytesPerToken) });
      return { kind: "reply", status: 200, headers: json, body: chunks([body]) };
    }
    const line = lines.get(key);
    if (line === undefined) return refuse(`the recording has no reply for ${key}`);
    const shape = shapeOf(request);
    if (line.shape !== undefined && line.shape !== shape)
      return refuse(`the recording of ${key} belongs to another request: wanted "${line.shape}", got "${shape}"`);
    if (line.delayMs !== undefined) await wait(line.delayMs, undefined, { signal });
    const { status, body } = line.response;
    if (status >= 400) return { kind: "reply", status, headers: json, body: chunks([JSON.stringify(body)]) };
    const message = completeMessage(body, request, key);
    return request.stream
      ? { kind: "reply", status, headers: { "content-type": "text/event-stream" }, body: chunks(writeEvents(message)) }
      : { kind: "reply", status, headers: json, body: chunks([JSON.stringify(message)]) };
  };
}

const json = { "content-type": "application/json" };

/** A recording written by hand may leave out what follows from the rest. */
function completeMessage(body: Record<string, unknown>, request: MessagesRequest, key: string) {
  const content = Array.isArray(body["content"]) ? (body["content"] as { type?: unknown }[]) : [];
  return {
    id: `msg_${key.replaceAll(/[^A-Za-z0-9]+/g, "_")}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    ...body,
    usage: { input_tokens: 0, output_tokens: 0, ...(body["usage"] as Record<string, unknown>) },
  };
}

function refuse(message: string): SourceRefusal {
  return { kind: "refused", error: { status: 409, type: "recording_mismatch", message } };
}

// oxlint-disable-next-line require-await -- an async generator is the shape that a body has
async function* chunks(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
