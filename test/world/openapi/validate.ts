import { Ajv2019, type ValidateFunction } from "ajv/dist/2019.js";
import formats from "ajv-formats";
import { type Schema, slice } from "./slice.ts";

/** Complaints about one value that are told. */
const problemsMax = 5;

const ajv = new Ajv2019({
  strict: false,
  allErrors: true,
  // Four times faster to compile, with schemas as large as these.
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
formats.default(ajv);
// A bot's address holds brackets, which the format does not allow and GitHub does.
ajv.addFormat("email", /^[^@\s]+@[^@\s]+$/);
// What GitHub says beside the standard formats says nothing about the text.
for (const name of ["int64", "repo.nwo", "timestamp"]) ajv.addFormat(name, true);
ajv.addSchema(slice, "github");

/** Compiled at first use, once for a process: all of them would take seconds. */
const compiled = new Map<string, ValidateFunction>();

/**
 * What is wrong with a value, as short lines; empty when nothing is. `key` names the schema, which is made when it is
 * first needed.
 */
export function problemsOf(key: string, makeSchema: () => Schema, value: unknown): readonly string[] {
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv.compile(intoSlice(makeSchema()) as object);
    compiled.set(key, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, problemsMax).map((error) => {
    const detail = Object.values(error.params).filter((item) => typeof item === "string");
    return `${error.instancePath || "/"} ${error.message ?? ""}${detail.length === 0 ? "" : ` (${detail.join(", ")})`}`;
  });
}

/** A part of the description as a schema of its own: its references lead back into the whole. */
function intoSlice(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(intoSlice);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" && value.startsWith("#") ? `github${value}` : intoSlice(value),
    ]),
  );
}
