import { APICallError, RetryError } from "ai";
import type { TurnEnd } from "../../domain/event.ts";

export interface Ending {
  readonly end: TurnEnd;
  readonly reason: string;
}

/** Statuses with which a provider says that it can not be used now or by us: nothing of the turn was done. */
const notUsable = new Set([401, 403, 404, 408, 429, 500, 502, 503, 504, 529]);

/** Error types of a stream that began and broke at once, and that a later try may get past. */
const passing = new Set(["overloaded_error", "rate_limit_error", "api_error", "timeout_error"]);

/** Longest message of an error that is shown. */
const messageCharactersMax = 500;

/** What a failed call to the model makes of the turn. `first`: nothing had been answered before. */
export function endOfError(error: unknown, first: boolean): Ending {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const message = (cause instanceof Error ? cause.message : typeOf(cause).message).slice(0, messageCharactersMax);
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined;
  // Without a status the address itself could not be reached.
  const passes = APICallError.isInstance(cause) ? notUsable.has(status ?? 503) : passing.has(typeOf(cause).type);
  if (first && passes) return { end: "could-not-start", reason: `the model could not be used: ${message}` };
  return { end: "crashed", reason: `a call to the model failed: ${message}` };
}

/** The type and the message of an error that came inside a stream. */
function typeOf(error: unknown): { readonly type: string; readonly message: string } {
  const { type, message } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  return {
    type: typeof type === "string" ? type : "",
    message: typeof message === "string" ? message : "unknown error",
  };
}
