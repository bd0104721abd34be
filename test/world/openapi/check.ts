import { closed } from "./closed.ts";
import type { Route } from "./routes.ts";
import { jsonSchema, parametersOf, type Schema, slice } from "./slice.ts";
import { problemsOf } from "./validate.ts";

export interface RequestToCheck {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** null where there is none. */
  readonly body: unknown;
}

/** What is wrong with a request of ours. */
export function checkRequest(route: Route, { params, query, body }: RequestToCheck): readonly string[] {
  return [
    ...checkValues(route, "path", params),
    ...checkValues(route, "query", query),
    ...checkBody(route, body),
    ...checkByHand(route, body),
  ];
}

function checkValues(
  route: Route,
  place: "path" | "query",
  values: Readonly<Record<string, string>>,
): readonly string[] {
  const known = new Map(
    parametersOf(route.operation).flatMap((item) => (item.in === place ? [[item.name, item.schema ?? {}]] : [])),
  );
  return Object.entries(values).flatMap(([name, text]) => {
    const schema = known.get(name);
    if (schema === undefined) return [`the ${place} parameter "${name}" is not known`];
    const key = `${place} ${name} ${route.key}`;
    return problemsOf(key, () => schema, typed(schema, text)).map(
      (problem) => `${place} parameter ${name}: ${problem}`,
    );
  });
}

/** A text of the address as the kind of value that the schema wants, where it can be one. */
function typed(schema: Schema, text: string): unknown {
  if (schema.type === "integer" && /^\d+$/.test(text)) return Number(text);
  if (schema.type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function checkBody(route: Route, body: unknown): readonly string[] {
  const schema = jsonSchema(route.operation.requestBody);
  if (body === null) return [];
  if (schema === null) return ["a body where none is taken"];
  return problemsOf(`request ${route.key}`, () => closed(schema), body);
}

/** Rules of GitHub that its description does not hold. */
function checkByHand(route: Route, body: unknown): readonly string[] {
  if (!route.template.includes("/check-runs") || typeof body !== "object" || body === null) return [];
  const { status, conclusion } = body as { status?: string; conclusion?: string };
  if (status === "completed" && conclusion === undefined) return ["status completed without a conclusion"];
  return status !== undefined && status !== "completed" && conclusion !== undefined
    ? ["a conclusion with a status that is not completed"]
    : [];
}

/** What is wrong with an answer of the world. Any refusal is allowed that says why. */
export function checkResponse(route: Route, status: number, body: unknown): readonly string[] {
  const described = route.operation.responses[String(status)];
  if (described === undefined && status < 400) return [`the status ${status} is not known`];
  const schema = jsonSchema(described);
  if (schema === null && status >= 400) {
    return typeof (body as { message?: unknown } | null)?.message === "string" ? [] : ["a refusal without a message"];
  }
  if (schema === null) return body === null ? [] : ["a body where none is sent"];
  return problemsOf(`response ${status} ${route.key}`, () => schema, body);
}

/** What is wrong with a webhook of the world. */
export function checkWebhook(event: string, action: string | null, payload: unknown): readonly string[] {
  const name = (action === null ? event : `${event}-${action}`).replaceAll("_", "-");
  const schema = jsonSchema(slice["x-webhooks"][name]?.post.requestBody);
  if (schema === null) return ["this webhook is not known"];
  return problemsOf(`webhook ${name}`, () => schema, payload);
}
