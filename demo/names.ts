import { closest, distance } from "fastest-levenshtein";

/** Letters that may differ for a name to be suggested. */
const differenceMax = 3;

/** The name that was probably meant, or null. */
export function closestName(given: string, names: readonly string[]): string | null {
  const near = closest(given, [...names]);
  return distance(given, near) <= differenceMax ? near : null;
}
