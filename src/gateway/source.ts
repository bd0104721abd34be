import type { MessagesRequest } from "./anthropic/request.ts";
import type { GatewayError } from "./reply.ts";

/** A checked call on its way to whatever answers it. It carries nothing of the caller's credentials. */
export interface SourceCall {
  /** Place in a recording. */
  readonly key: string;
  readonly request: MessagesRequest;
  readonly kind: "messages" | "count-tokens";
  /** Allow-listed headers of the caller, lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface SourceReply {
  readonly kind: "reply";
  readonly status: number;
  /** As they came; the gateway filters them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** No reply was made: nothing was used and the call does not count. */
export interface SourceRefusal {
  readonly kind: "refused";
  readonly error: GatewayError;
}

/** The provider, or a recording of it. Rejects only when the signal aborts. */
export type Source = (call: SourceCall) => Promise<SourceReply | SourceRefusal>;
