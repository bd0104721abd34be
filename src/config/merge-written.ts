import { writePath, type Path, type Place } from "./config-problem.ts";

interface Written {
  readonly value: unknown;
  readonly places: ReadonlyMap<string, Place>;
}

/** Lays files over one another, the last on top: maps merge by key, everything else replaces. Places follow the values. */
export function mergeWritten(files: readonly Written[]): {
  readonly value: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, Place>;
} {
  let value: Readonly<Record<string, unknown>> = {};
  const places = new Map<string, Place>();
  for (const file of files) {
    if (isMap(file.value)) value = over(value, file.value, []);
    for (const [path, place] of file.places) places.set(path, place);
  }
  return { value, places };

  function over(below: Readonly<Record<string, unknown>>, above: Readonly<Record<string, unknown>>, path: Path) {
    const merged: Record<string, unknown> = { ...below };
    for (const [key, value] of Object.entries(above)) {
      const under = merged[key];
      const at = [...path, key];
      if (isMap(under) && isMap(value)) {
        merged[key] = over(under, value, at);
      } else {
        forget(writePath(at));
        merged[key] = value;
      }
    }
    return merged;
  }

  /** A list that was replaced has left nothing behind, even if it was longer. */
  function forget(path: string): void {
    for (const known of places.keys()) {
      if (known === path || known.startsWith(`${path}.`)) places.delete(known);
    }
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
