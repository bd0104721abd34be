import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeEvents } from "../../src/gateway/anthropic/message-events.ts";

/** The key that the fake provider takes; anything else is a 401. */
export const realKey = "sk-ant-api03-the-real-key-of-the-operator";

export const fakeModel = "claude-sonnet-4-20250514";

export interface ReceivedCall {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Settles when the connection is gone, however it ended. */
  readonly closed: Promise<unknown>;
}

export type Answer = (response: ServerResponse, call: ReceivedCall) => void | Promise<void>;

export interface FakeAnthropic {
  readonly baseUrl: string;
  readonly calls: readonly ReceivedCall[];
  close(): Promise<void>;
}

/** A message as the provider writes it. */
export function messageOf(content: readonly object[], usage: object = { input_tokens: 10, output_tokens: 5 }) {
  const toolUse = content.some((block) => "type" in block && block.type === "tool_use");
  return {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: fakeModel,
    content,
    stop_reason: toolUse ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  };
}

export const textOf = (text: string) => ({ type: "text", text });

export const toolOf = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });

/** Answers with a message, as a stream where one was asked for. */
export function answerMessage(message: object): Answer {
  return (response, call) => {
    const asked = JSON.parse(call.body) as { stream?: boolean };
    if (asked.stream !== true) {
      response.writeHead(200, { "content-type": "application/json", "anthropic-organization-id": "org-secret" });
      response.end(JSON.stringify(message));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "a=b" });
    for (const event of writeEvents(message as Record<string, unknown>)) response.write(event);
    response.end();
  };
}

export function answerError(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type: "fake_error", message } }));
  };
}

/** Never answers. */
export const hang: Answer = () => undefined;

/** Answers calls in the order of the script; a call too many gets a 418 that shows in the test. */
export async function startFakeAnthropic(script: readonly Answer[]): Promise<FakeAnthropic> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const call = { url, headers, body: Buffer.concat(chunks).toString("utf8"), closed: once(response, "close") };
      const answer =
        headers["x-api-key"] === realKey
          ? (script[calls.length] ?? answerError(418, "the script has no more answers"))
          : answerError(401, `invalid x-api-key ${String(headers["x-api-key"])}`);
      calls.push(call);
      void answer(response, call);
    });
  });
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
