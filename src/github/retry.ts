import { RequestError } from "@octokit/request-error";

/** Tries of one request in all. */
export const triesMax = 4;

/** First pause before a repeat, in milliseconds; doubled each time. */
const pauseMilliseconds = 500;

/** Pause after a secondary limit that names none, in milliseconds (GitHub's advice: at least a minute). */
const secondaryPauseMilliseconds = 60_000;

/**
 * What to do about a failed request.
 * `wait`: a limit refused it before anything was done, so that even a POST may be sent again.
 * `again`: nothing was decided, and repeating it changes nothing more.
 * `give-up`: an answer, or a POST whose outcome nobody knows: the caller looks before it asks again.
 */
export type Reaction =
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "again"; readonly milliseconds: number }
  | { readonly kind: "give-up" };

export function reactTo(error: unknown, method: string, tries: number, now: number): Reaction {
  if (tries >= triesMax) return { kind: "give-up" };
  const again: Reaction = { kind: "again", milliseconds: pauseMilliseconds * 2 ** (tries - 1) };
  if (!(error instanceof RequestError)) return { kind: "give-up" };
  const limited = readLimit(error, now);
  if (limited !== null) return { kind: "wait", milliseconds: limited };
  // octokit gives status 500 without a response to whatever the network did.
  const failed = error.status >= 500 || error.response === undefined;
  return failed && method !== "POST" ? again : { kind: "give-up" };
}

/** How long a limit asks to wait, in milliseconds; null where the error is no limit. */
function readLimit(error: RequestError, now: number): number | null {
  if (error.status !== 403 && error.status !== 429) return null;
  const headers = error.response?.headers ?? {};
  const retryAfterSeconds = Number(headers["retry-after"]);
  if (headers["retry-after"] !== undefined && Number.isFinite(retryAfterSeconds)) return retryAfterSeconds * 1000;
  if (headers["x-ratelimit-remaining"] === "0") {
    return Math.max(0, Number(headers["x-ratelimit-reset"]) * 1000 - now) + 1000;
  }
  return /secondary rate limit/i.test(error.message) || error.status === 429 ? secondaryPauseMilliseconds : null;
}

/** A POST may have done its work although its answer never came. */
export function outcomeUnknown(error: unknown): boolean {
  return error instanceof RequestError && (error.status >= 500 || error.response === undefined);
}

/** Status of GitHub's answer, or null where there was none. */
export function statusOf(error: unknown): number | null {
  return error instanceof RequestError ? error.status : null;
}

/** GitHub's own words, for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof RequestError) {
    const data = error.response?.data as { message?: string; errors?: { message?: string }[] } | undefined;
    const details = (data?.errors ?? []).flatMap((item) => item?.message ?? []);
    return [data?.message ?? error.message, ...details].join(": ");
  }
  return error instanceof Error ? error.message : String(error);
}
