import type { GatewayError } from "../reply.ts";

/** What the gateway has to know of a request to `/v1/messages`. */
export interface MessagesRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly toolNames: readonly string[];
  readonly roles: readonly string[];
  /** The checked request, written anew: what was checked and what is sent can not differ (doubled keys, odd escapes). */
  readonly bytes: Buffer;
  /** The last message's text, for a recording's summary. */
  readonly lastText: string;
}

/** More than any model writes; keeps a reservation finite. */
const maxTokensMax = 1_000_000;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads and checks a request; a string says why it is refused. `counting`: no reply is asked for, so no `max_tokens`. */
export function readMessagesRequest(body: Buffer, counting: boolean): MessagesRequest | GatewayError {
  const bad = (message: string): GatewayError => ({ status: 400, type: "invalid_request_error", message });
  let request: unknown;
  try {
    request = JSON.parse(body.toString("utf8"));
  } catch {
    return bad("the body is not JSON");
  }
  if (!isObject(request)) return bad("the body is not a JSON object");
  const { model, max_tokens: maxTokens, messages, tools, stream } = request;
  if (typeof model !== "string") return bad("model: a string is needed");
  if (!Array.isArray(messages)) return bad("messages: a list is needed");
  const limit = counting ? 0 : maxTokens;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 0 || limit > maxTokensMax)
    return bad(`max_tokens: a whole number up to ${maxTokensMax} is needed`);
  const wayOut = findWayOut(request);
  if (wayOut !== null)
    return {
      status: 403,
      type: "permission_error",
      message: `${wayOut} is refused: it would let the provider reach the network on the caller's behalf`,
    };
  return {
    model,
    maxTokens: limit,
    stream: stream === true,
    toolNames: Array.isArray(tools) ? tools.map((tool) => (isObject(tool) ? String(tool["name"]) : "?")) : [],
    roles: messages.map((message) => (isObject(message) ? String(message["role"]) : "?")),
    bytes: Buffer.from(JSON.stringify(request)),
    lastText: textOf(messages.at(-1)),
  };
}

/** Tools that the client itself performs. Any other typed tool is performed by the provider, perhaps with a network. */
const clientTools = /^(?:custom|bash_|text_editor_|memory_|computer_)/;

/**
 * Features that make the provider fetch things: the sandbox has no network, and a model call must not be a way around
 * that. Told as the place in the request, or null.
 */
function findWayOut(request: Json): string | null {
  for (const key of ["mcp_servers", "container"]) if (request[key] !== undefined && request[key] !== null) return key;
  const tools = Array.isArray(request["tools"]) ? request["tools"] : [];
  for (const [index, tool] of tools.entries())
    if (isObject(tool) && typeof tool["type"] === "string" && !clientTools.test(tool["type"]))
      return `tools[${index}] of type "${tool["type"].slice(0, 60)}"`;
  return hasUrlSource(request["messages"], 16) ? 'a source of type "url"' : null;
}

/**
 * Images and documents by address lie in content blocks, also in those of tool results and of documents made of
 * blocks. What is nested deeper than any real request counts as one.
 */
function hasUrlSource(value: unknown, depthLeft: number): boolean {
  if (Array.isArray(value)) return depthLeft === 0 || value.some((item) => hasUrlSource(item, depthLeft - 1));
  if (!isObject(value)) return false;
  if (depthLeft === 0) return true;
  const source = value["source"];
  if (isObject(source) && (source["type"] === "url" || hasUrlSource(source, depthLeft - 1))) return true;
  return hasUrlSource(value["content"], depthLeft - 1);
}

function textOf(message: unknown): string {
  const content = isObject(message) ? message["content"] : "";
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content.map((block) => (isObject(block) && typeof block["text"] === "string" ? block["text"] : "[…]")).join("\n")
    : "";
}
