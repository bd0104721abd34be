import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Usage } from "../domain/usage.ts";
import { addUsage, noUsage } from "../domain/usage.ts";
import type { Caller, SpendingLimits } from "./access.ts";
import type { Price } from "./price.ts";
import { priceTokens } from "./price.ts";
import type { TokenCount } from "./tokens.ts";
import { allInput } from "./tokens.ts";

/** What the gateway holds of one granted access. */
export interface Grant {
  readonly caller: Caller;
  readonly model: string;
  readonly limits: SpendingLimits;
  readonly price: Price | null;
  readonly token: string;
  readonly digest: Buffer;
  /** Aborts at revoke: running calls end with it. */
  readonly revoked: AbortController;
  /** Calls of this access that were answered or run now. */
  order: number;
  used: Usage;
  readonly running: Set<{ counted(): TokenCount }>;
  budgetSpent: string | null;
}

/** Live accesses at once. A chain needs a handful; more is a leak of ours. */
const grantsMax = 1_000;

export interface Grants {
  add(caller: Caller, model: string, limits: SpendingLimits, price: Price | null): Grant;
  /** The live grant whose token a request carries, or null. */
  find(headers: IncomingHttpHeaders): Grant | null;
  remove(grant: Grant): void;
  tokens(): readonly string[];
  all(): readonly Grant[];
}

export function openGrants(): Grants {
  const grants = new Set<Grant>();
  return {
    add(caller, model, limits, price) {
      if (grants.size >= grantsMax) throw new Error(`more than ${grantsMax} accesses are granted at once`);
      const token = `gavel-${randomBytes(32).toString("base64url")}`;
      const grant: Grant = {
        caller,
        model,
        limits,
        price,
        token,
        digest: digestOf(token),
        revoked: new AbortController(),
        order: 0,
        used: noUsage,
        running: new Set(),
        budgetSpent: null,
      };
      grants.add(grant);
      return grant;
    },
    find(headers) {
      const key = headers["x-api-key"];
      const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];
      const digest = digestOf(typeof key === "string" ? key : (bearer ?? ""));
      // All are compared, each in constant time: the answer's delay tells nothing about any of them.
      let found: Grant | null = null;
      for (const grant of grants) if (timingSafeEqual(grant.digest, digest)) found = grant;
      return found;
    },
    remove(grant) {
      grants.delete(grant);
      grant.revoked.abort(new Error("the access was revoked"));
    },
    tokens: () => [...grants].map((grant) => grant.token),
    all: () => [...grants],
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** One call's tokens as usage. */
export function usageOf(tokens: TokenCount, price: Price | null): Usage {
  return {
    calls: 1,
    inputTokens: allInput(tokens),
    outputTokens: tokens.output,
    cachedInputTokens: tokens.cacheRead,
    usd: priceTokens(price, tokens),
  };
}

/** Used by a grant so far, running calls with what is counted of them. */
export function usageSoFar(grant: Grant): Usage {
  return [...grant.running].reduce((sum, call) => addUsage(sum, usageOf(call.counted(), grant.price)), grant.used);
}
