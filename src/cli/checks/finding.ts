import type { Problem } from "../../domain/event.ts";
import { GavelError } from "../../errors.ts";

/** One line of the doctor. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "problem";
  readonly message: string;
  /** null where nothing is wrong. */
  readonly code: string | null;
  readonly cure: string | null;
}

/** Looks at one thing; never rejects. */
export type Check = (env: Readonly<Record<string, string | undefined>>) => Promise<readonly Finding[]>;

export function good(check: string, message: string): Finding {
  return { check, state: "ok", message, code: null, cure: null };
}

export function bad(check: string, { code, message, cure }: Problem): Finding {
  return { check, state: "problem", message, code, cure };
}

/** What a failed look says; errors of ours bring their cure along. */
export function badError(check: string, error: unknown, cure: string): Finding {
  if (error instanceof GavelError) return bad(check, error);
  const message = error instanceof Error ? error.message : String(error);
  return bad(check, { code: `${check}-failed`, message, cure });
}
