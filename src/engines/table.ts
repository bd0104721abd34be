import { createBuiltinEngine } from "./builtin/engine.ts";
import type { Engine } from "./engine.ts";

/** Every engine there is; one row, one engine. */
const engines: Readonly<Record<string, () => Engine>> = {
  builtin: createBuiltinEngine,
};

export const engineNames: readonly string[] = Object.keys(engines);

/** The engine of that name, or null. */
export function findEngine(name: string): Engine | null {
  return Object.hasOwn(engines, name) ? (engines[name]?.() ?? null) : null;
}
