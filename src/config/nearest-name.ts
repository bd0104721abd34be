import { closest, distance } from "fastest-levenshtein";

/** Longer than any name we know: not compared, since the time grows with the square. */
const charactersMax = 100;

/** The valid name that was probably meant: two letters swapped, or a third of them differing. null where none is near. */
export function nearestName(written: string, names: readonly string[]): string | null {
  if (names.length === 0 || written.length > charactersMax) return null;
  const wanted = fold(written);
  const same = names.find((name) => fold(name) === wanted);
  if (same !== undefined) return same;
  const near = closest(
    wanted,
    names.map((name) => fold(name)),
  );
  if (distance(wanted, near) > Math.max(near.length < 4 ? 1 : 2, Math.floor(near.length / 3))) return null;
  return names.find((name) => fold(name) === near) ?? null;
}

/** Case and the kind of hyphen are never what was meant to differ. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}
