import { follow, type Schema } from "./slice.ts";

/**
 * A request's schema without room for keys that it does not name: GitHub drops such keys in silence, so that a
 * misspelt one would never be noticed.
 */
export function closed(schema: Schema): Schema {
  return close(schema, false);
}

function close(schema: Schema, isPart: boolean): Schema {
  const found = follow(schema);
  const parts = (list: readonly Schema[] | undefined) => list?.map((item) => close(item, true));
  // A part of a whole that allows everything would open the whole again.
  const { additionalProperties, properties, items, allOf, anyOf, oneOf, ...rest } = found;
  const free = additionalProperties === undefined || additionalProperties === true;
  const named = properties !== undefined;
  return {
    ...rest,
    ...(named
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, close(value, false)])) }
      : {}),
    ...(items === undefined ? {} : { items: close(items, false) }),
    ...(allOf === undefined ? {} : { allOf: parts(allOf) }),
    ...(anyOf === undefined ? {} : { anyOf: parts(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: parts(oneOf) }),
    ...(free ? {} : { additionalProperties }),
    ...(free && named && !isPart ? { unevaluatedProperties: false } : {}),
  } as Schema;
}
