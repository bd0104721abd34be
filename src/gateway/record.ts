import { appendFile } from "node:fs/promises";
import { readEvents } from "./anthropic/message-events.ts";
import type { CassetteLine } from "./cassette.ts";
import { shapeOf } from "./cassette.ts";
import type { Source, SourceCall } from "./source.ts";

/** Longest reply that is recorded, and longest piece of a request's last message in the summary for people. */
const replyBytesMax = 32 * 1024 * 1024;
const lastTextCharactersMax = 400;

/** Passes calls through and appends each whole reply to the file, without the secrets it is told. */
export function openRecorder(source: Source, path: string, secrets: () => readonly string[]): Source {
  return async (call) => {
    const reply = await source(call);
    if (reply.kind === "refused" || call.kind === "count-tokens") return reply;
    async function* record(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      const kept: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes <= replyBytesMax) kept.push(chunk);
        yield chunk;
      }
      if (bytes > replyBytesMax || reply.kind !== "reply") return;
      const text = Buffer.concat(kept).toString("utf8");
      const whole = reply.headers["content-type"]?.includes("text/event-stream") ? readEvents(text) : readJson(text);
      if (whole !== null) await appendFile(path, scrub(`${lineOf(call, reply.status, whole)}\n`, secrets()));
    }
    return { ...reply, body: record(reply.body) };
  };
}

function lineOf(call: SourceCall, status: number, body: Record<string, unknown>): string {
  const { request } = call;
  const line: CassetteLine = {
    key: call.key,
    shape: shapeOf(request),
    request: {
      model: request.model,
      maxTokens: request.maxTokens,
      stream: request.stream,
      lastText: request.lastText.slice(0, lastTextCharactersMax),
    },
    response: { status, body },
  };
  return JSON.stringify(line);
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Takes exact secrets out of a text. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[redacted]")), text);
}
