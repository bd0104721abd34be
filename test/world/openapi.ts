import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

/** JSON schema as far as this file looks into it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-webhooks": Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** GitHub's published description, cut down to what the world serves. */
const slice = makeStandard(
  JSON.parse(readFileSync(new URL("openapi-slice.json", import.meta.url), "utf8")),
) as unknown as Document;

/** Depth to which missing fields are filled in: GitHub's schemas refer to themselves. */
const depthMax = 12;

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
formats.default(ajv);
ajv.addFormat("int64", true);
ajv.addFormat("repo.nwo", true);
ajv.addSchema(slice as object, "github");
const compiled = new Map<string, ValidateFunction>();

/** OpenAPI 3.0 says `nullable`; JSON schema says so with a type union, and an enum has to hold null itself. */
function makeStandard(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(makeStandard);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, makeStandard(value)]),
  ) as { nullable?: boolean } & Record<string, unknown>;
  if (nullable !== true) return nullable === undefined ? rest : { ...rest };
  if (Array.isArray(rest["enum"])) rest["enum"] = [...(rest["enum"] as unknown[]), null];
  if (typeof rest["type"] === "string") return { ...rest, type: [rest["type"], "null"] };
  return rest["$ref"] !== undefined ||
    rest["allOf"] !== undefined ||
    rest["oneOf"] !== undefined ||
    rest["anyOf"] !== undefined
    ? { anyOf: [rest, { type: "null" }] }
    : rest;
}

function follow<T extends { readonly $ref?: string }>(node: T): T {
  let found: T = node;
  while (found.$ref !== undefined) {
    found = found.$ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], slice) as T;
  }
  return found;
}

const jsonOf = (content: Content | undefined): Schema | null =>
  content === undefined ? null : (follow(content).content?.["application/json"]?.schema ?? null);

/** Problems of a value by a schema, as short lines; empty when there are none. */
function check(key: string, schema: Schema, value: unknown): readonly string[] {
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv.compile(absolute(schema) as object);
    compiled.set(key, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, 5).map((error) => `${error.instancePath || "/"} ${error.message ?? ""}`);
}

/** A part of the document as a schema of its own: its references lead back into the document. */
function absolute(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" && value.startsWith("#") ? `github${value}` : absolute(value),
    ]),
  );
}

export interface Route {
  readonly method: string;
  readonly template: string;
}

function operationOf({ method, template }: Route): Operation {
  const operation = slice.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${template} is not in GitHub's description`);
  return operation;
}

/** All routes that GitHub's description has here. */
export function routes(): readonly Route[] {
  return Object.entries(slice.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), template })),
  );
}

/** What is wrong with a request of ours. Keys that GitHub does not know are wrong too: it would drop them silently. */
export function checkRequest(route: Route, query: Readonly<Record<string, string>>, body: unknown): readonly string[] {
  const operation = operationOf(route);
  const known = new Set(
    (operation.parameters ?? []).map(follow).flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])),
  );
  const strange = Object.keys(query).filter((name) => !known.has(name));
  const problems = strange.map((name) => `the query parameter "${name}" is not known`);
  const schema = jsonOf(operation.requestBody);
  if (schema === null) return body === null ? problems : [...problems, "a body where none is taken"];
  if (body === null) return problems;
  const key = `request ${route.method} ${route.template}`;
  return [...problems, ...check(key, closed(schema), body), ...byHand(body)];
}

/** Rules of GitHub that its schema does not say. */
function byHand(body: unknown): readonly string[] {
  const { status, conclusion } = body as { status?: string; conclusion?: string };
  return status === "completed" && conclusion === undefined ? ["completed without a conclusion"] : [];
}

/** The schema with no room for further keys, at its top and in its objects, where it names its keys. */
function closed(schema: Schema): Schema {
  const found = follow(schema);
  if (found.properties === undefined) return found;
  const properties = Object.fromEntries(
    Object.entries(found.properties).map(([key, value]) => [key, closedInner(value)]),
  );
  const named = [...(found.oneOf ?? []), ...(found.anyOf ?? [])].flatMap((part) =>
    Object.keys(follow(part).properties ?? {}),
  );
  for (const name of named) properties[name] ??= {};
  return { ...found, properties, additionalProperties: false };
}

function closedInner(schema: Schema): Schema {
  const found = follow(schema);
  if (found.items !== undefined) return { ...found, items: closedInner(found.items) };
  return found.properties === undefined || found.additionalProperties !== undefined ? found : closed(found);
}

/** Schema of a reply, or null where it has no JSON body. */
function responseSchema(route: Route, status: number): Schema | null {
  return jsonOf(operationOf(route).responses[String(status)]);
}

export function checkResponse(route: Route, status: number, body: unknown): readonly string[] {
  if (operationOf(route).responses[String(status)] === undefined && status < 400)
    return [`the status ${status} is not known`];
  const schema = responseSchema(route, status);
  return schema === null ? [] : check(`response ${status} ${route.method} ${route.template}`, schema, body);
}

/** Fills in what a reply has to hold and nobody cares about. */
export function completeResponse(route: Route, status: number, body: unknown): unknown {
  const schema = responseSchema(route, status);
  return schema === null ? body : complete(schema, body, 0);
}

function webhookSchema(event: string, action: string | null): Schema | null {
  const name = action === null ? event : `${event}-${action}`;
  return jsonOf(slice["x-webhooks"][name.replaceAll("_", "-")]?.post.requestBody);
}

export function completeWebhook(event: string, action: string | null, payload: object): Record<string, unknown> {
  const schema = webhookSchema(event, action);
  return (schema === null ? payload : complete(schema, payload, 0)) as Record<string, unknown>;
}

export function checkWebhook(event: string, action: string | null, payload: unknown): readonly string[] {
  const schema = webhookSchema(event, action);
  if (schema === null) return [`the webhook ${event} ${action ?? ""} is not in GitHub's description`];
  return check(`webhook ${event} ${action ?? ""}`, schema, payload);
}

/**
 * A value with everything its schema requires. What was given stays as it is (and is validated afterwards); what is
 * missing gets the plainest value that fits. Only required fields are added.
 */
function complete(schema: Schema, value: unknown, depth: number): unknown {
  const found = follow(schema);
  if (depth > depthMax) return value ?? null;
  if (found.allOf !== undefined) {
    return found.allOf.reduce<unknown>((sum, part) => complete(part, sum, depth + 1), value);
  }
  const choices = found.anyOf ?? found.oneOf;
  if (choices !== undefined && found.properties === undefined) return completeChoice(choices, value, depth);
  if (value === null) return null;
  const types = typeof found.type === "string" ? [found.type] : (found.type ?? []);
  if (value === undefined) {
    if (found.enum !== undefined) return found.enum[0];
    if (types.includes("null")) return null;
  }
  if (Array.isArray(value)) {
    const { items } = found;
    return items === undefined ? value : value.map((item) => complete(items, item, depth + 1));
  }
  const isObject = found.properties !== undefined || types.includes("object");
  if (isObject && (value === undefined || typeof value === "object")) {
    const given = (value ?? {}) as Record<string, unknown>;
    const made: Record<string, unknown> = { ...given };
    for (const [key, part] of Object.entries(found.properties ?? {})) {
      const required = found.required?.includes(key) ?? false;
      if (given[key] !== undefined || required) made[key] = complete(part, given[key], depth + 1);
    }
    return made;
  }
  return value === undefined ? plainest(types[0], found.format) : value;
}

function completeChoice(choices: readonly Schema[], value: unknown, depth: number): unknown {
  const isNull = (choice: Schema): boolean => follow(choice).type === "null";
  if (value === undefined || value === null) {
    if (choices.some(isNull)) return null;
    return choices[0] === undefined ? null : complete(choices[0], value, depth + 1);
  }
  const fitting = choices.find((choice) => {
    const made = complete(choice, value, depth + 1);
    return !isNull(choice) && ajv.validate(absolute(choice) as object, made);
  });
  return complete(fitting ?? choices[0] ?? {}, value, depth + 1);
}

function plainest(type: string | undefined, format: string | undefined): unknown {
  switch (type) {
    case "string":
      if (format === "uri") return "https://github.invalid/";
      return format === "date-time" ? "2026-01-01T00:00:00Z" : "";
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return null;
  }
}
