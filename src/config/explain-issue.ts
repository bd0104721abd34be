import type { z } from "zod";
import { writePath, type ConfigProblem, type Path, type Place } from "./config-problem.ts";
import { nearestName } from "./nearest-name.ts";
import type { YamlFile } from "./read-yaml.ts";

/** What a JSON schema says of its parts; all that is looked at here. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** Names in a sentence, at most. */
const namesShown = 12;
const valueCharactersShown = 60;

/** Turns what zod found in one file into problems of ours: with place, reason and nearest valid name. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  file: Pick<YamlFile, "value" | "places" | "keys">,
  schema: SchemaNode,
): readonly ConfigProblem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey([...path, key], key, schema, file.keys));
    }
    const value = valueAt(file.value, path);
    const names = issue.code === "invalid_value" ? issue.values.filter((name) => typeof name === "string") : [];
    const nearest = typeof value === "string" ? nearestName(value, names) : null;
    return [{ ...placeOf(file.places, path), path: writePath(path), reason: reasonOf(issue, value), nearest }];
  });
}

/** Place of a value, or of the nearest thing around it that was written. */
export function placeOf(places: ReadonlyMap<string, Place>, path: Path): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(writePath(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return { source: "", line: 1, column: 1 };
}

function unknownKey(path: Path, key: string, schema: SchemaNode, places: ReadonlyMap<string, Place>): ConfigProblem {
  const here = keysAt(schema, path.slice(0, -1));
  const elsewhere = allPaths(schema).find((known) => known.endsWith(`.${key}`));
  return {
    ...placeOf(places, path),
    path: writePath(path),
    reason: `is not a key that is known here; known are ${shorten(here)}`,
    nearest: nearestName(key, here) ?? elsewhere ?? null,
  };
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return "is missing";
      return value === null && issue.expected !== "null"
        ? "is empty: give it a value or remove the key"
        : `must be ${typeWords[issue.expected] ?? issue.expected}, not ${show(value)}`;
    case "invalid_value":
      // A schema's own words say more than the list.
      return issue.message.startsWith("must ")
        ? issue.message
        : `must be one of ${issue.values.map(String).join(", ")}, not ${show(value)}`;
    case "too_small":
    case "too_big": {
      const word = issue.code === "too_small" ? "least" : "most";
      const limit = issue.code === "too_small" ? issue.minimum : issue.maximum;
      if (issue.origin === "string") return `must have at ${word} ${limit} characters`;
      if (issue.origin === "array") return `must have at ${word} ${limit} entries`;
      if (issue.inclusive === false) return `must be ${word === "least" ? "more" : "less"} than ${limit}`;
      return `must be at ${word} ${limit}, not ${show(value)}`;
    }
    case "invalid_union":
      return `must be a text, a number or true/false, not ${show(value)}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? "is not a valid key";
    case "unrecognized_keys":
    case "invalid_element":
    case "invalid_format":
    case "not_multiple_of":
    case "custom":
      return issue.message;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
};

function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map of keys";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > valueCharactersShown ? `${text.slice(0, valueCharactersShown)}…` : text;
}

function shorten(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).join(", ");
  return names.length > namesShown ? `${shown} …` : shown;
}

function keysAt(schema: SchemaNode, path: Path): readonly string[] {
  let node: SchemaNode | undefined = schema;
  for (const part of path) node = typeof part === "number" ? node?.items : node?.properties?.[part];
  return Object.keys(node?.properties ?? {});
}

function allPaths(schema: SchemaNode, before = ""): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, node]) => {
    const path = before === "" ? key : `${before}.${key}`;
    return [path, ...allPaths(node, path)];
  });
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}
