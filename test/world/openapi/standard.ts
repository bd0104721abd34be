interface Part {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

function isNullable(schema: { readonly type?: unknown } | undefined): boolean {
  return Array.isArray(schema?.type) && schema.type.includes("null");
}

/**
 * Some webhooks describe an issue in two parts, of which one lets its author be null (a deleted account) and the
 * other does not. What one part allows, all allow.
 */
function allowSameNulls(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) => ({
    ...part,
    ...(part.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(part.properties).map(([key, schema]) => {
              const widened = parts.some((other) => isNullable(other.properties?.[key])) && !isNullable(schema);
              return [key, widened && schema.type !== undefined ? { ...schema, type: [schema.type, "null"] } : schema];
            }),
          ),
        }),
  }));
}

/** A pull request whose fork was deleted has no head repository: GitHub does so, and does not say so everywhere. */
function allowDeletedFork(head: unknown): void {
  const properties = (head as { properties?: Record<string, unknown> } | undefined)?.properties;
  if (properties?.["repo"] !== undefined) properties["repo"] = { anyOf: [properties["repo"], { type: "null" }] };
}

/** OpenAPI 3.0 says `nullable`; JSON schema says so with a type union, and an enum has to hold null itself. */
export function makeStandard(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(makeStandard);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, makeStandard(value)]),
  ) as Record<string, unknown>;
  if (Array.isArray(rest["allOf"])) rest["allOf"] = allowSameNulls(rest["allOf"] as readonly Part[]);
  allowDeletedFork(rest["head"]);
  // A property that is itself called `nullable` is a schema, and stays.
  if (nullable !== true) return nullable === undefined || nullable === false ? rest : { ...rest, nullable };
  const composed = ["$ref", "allOf", "oneOf", "anyOf"].some((key) => rest[key] !== undefined);
  if (composed) return { anyOf: [rest, { type: "null" }] };
  if (Array.isArray(rest["enum"])) rest["enum"] = [...(rest["enum"] as unknown[]), null];
  return typeof rest["type"] === "string" ? { ...rest, type: [rest["type"], "null"] } : rest;
}
