import type { Caller } from "../auth/caller.ts";

/** Requests that GitHub allows in an hour: to an installation or an App. */
const requestsPerHour = 5000;

/** Requests without authentication that it allows in an hour. */
const anonymousPerHour = 60;

export interface Rate {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly reset: number;
}

/** Counts requests as GitHub does, without ever refusing one: refusals come from faults. */
export interface Limits {
  count(caller: Caller): Rate;
  peek(caller: Caller): Rate;
}

export function openLimits(now: () => Date): Limits {
  const used = new Map<string, { count: number; reset: number }>();
  const windowOf = (caller: Caller): { count: number; reset: number } => {
    const seconds = Math.floor(now().getTime() / 1000);
    const known = used.get(caller.kind);
    if (known !== undefined && known.reset > seconds) return known;
    const fresh = { count: 0, reset: seconds + 3600 };
    used.set(caller.kind, fresh);
    return fresh;
  };
  const rate = (caller: Caller): Rate => {
    const limit = caller.kind === "nobody" ? anonymousPerHour : requestsPerHour;
    const { count, reset } = windowOf(caller);
    return { limit, used: Math.min(count, limit), remaining: Math.max(0, limit - count), reset };
  };
  return {
    count(caller) {
      windowOf(caller).count += 1;
      return rate(caller);
    },
    peek: rate,
  };
}

export function rateHeaders(rate: Rate): Record<string, string> {
  return {
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-used": String(rate.used),
    "x-ratelimit-reset": String(rate.reset),
    "x-ratelimit-resource": "core",
  };
}
