import { verify } from "node:crypto";
import type { App } from "../core.ts";

/** Longest life of an App's own token, in seconds. */
const lifeSecondsMax = 600;

/** Clocks may be this far apart, in seconds. */
const skewSeconds = 60;

/** Why an App's token is no good, in GitHub's words; null when it is good. */
export function refuseJwt(app: App, now: Date, jwt: string): string | null {
  const undecodable = "A JSON web token could not be decoded";
  const [header = "", payload = "", signature = "", ...more] = jwt.split(".");
  const head = decode(header);
  const claims = decode(payload);
  if (head === null || claims === null || more.length > 0 || head["alg"] !== "RS256") return undecodable;
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify("RSA-SHA256", signed, app.publicKey, Buffer.from(signature, "base64url"))) return undecodable;
  const { iat, exp, iss } = claims;
  if (String(iss) !== String(app.id) && iss !== app.clientId) return "'Issuer' claim ('iss') must be an Integer";
  const seconds = now.getTime() / 1000;
  if (typeof iat !== "number" || iat > seconds + skewSeconds) {
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  }
  if (typeof exp !== "number" || exp <= seconds) {
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  }
  // GitHub counts from now; the time of issue may lie a minute back, against clock skew.
  if (exp > seconds + lifeSecondsMax || exp - iat > lifeSecondsMax + skewSeconds) {
    return "'Expiration time' claim ('exp') is too far in the future";
  }
  return null;
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
