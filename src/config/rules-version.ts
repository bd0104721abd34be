import { createHash } from "node:crypto";
import type { Rules } from "./rules.ts";

/** Version of the rules a chain runs on: 16 hex digits, the same for the same rules whatever order they are written in. */
export function rulesVersion(rules: Rules): string {
  return createHash("sha256").update(canonical(rules)).digest("hex").slice(0, 16);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
