import type { Place } from "../config/config-problem.ts";
import type { Rules } from "../config/rules.ts";

export interface ShownValue {
  /** As it is written in the file: `implement.self_review.max_iterations`. */
  readonly path: string;
  readonly value: unknown;
  /** null: a default. */
  readonly place: Place | null;
}

/** Names that are not our own name in another spelling. */
const writtenNames: Readonly<Record<string, string>> = {
  selfReviewIterationsMax: "self_review.max_iterations",
};

/** Every value of the rules under the name a person would write it, with the place where it was written. */
export function listValues(rules: Rules, sources: ReadonlyMap<string, Place>): readonly ShownValue[] {
  return walk(rules, [], sources);
}

function walk(value: unknown, path: readonly string[], sources: ReadonlyMap<string, Place>): readonly ShownValue[] {
  const children = childrenOf(value);
  if (children !== null) {
    return children.flatMap(([key, child]) =>
      walk(child, [...path, writtenNames[key] ?? inWriting(key, path)], sources),
    );
  }
  const name = path.join(".");
  // Only the rules have no base of their own where the repository's default branch is meant.
  const shown = name === "publish.base" ? (value ?? "default") : value;
  return [{ path: name, value: shown, place: sources.get(name) ?? null }];
}

/** What is listed one by one: maps with keys, and lists of maps. Anything else is one value. */
function childrenOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (typeof value !== "object" || value === null) return null;
  const isValue = Array.isArray(value) && (value.length === 0 || typeof value[0] !== "object");
  const entries = Object.entries(value);
  return isValue || entries.length === 0 ? null : entries;
}

/** Variables of a gate keep the names their owner gave them. */
function inWriting(key: string, path: readonly string[]): string {
  return path.at(-1) === "env" ? key : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
