import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether GitHub signed these very bytes. In constant time; over the raw body, since JSON can be written in many ways. */
export function isSigned(secret: string, bytes: Uint8Array, signature: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
