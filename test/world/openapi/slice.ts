import { readFileSync } from "node:fs";
import { makeStandard } from "./standard.ts";

/** JSON schema as far as the world looks into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema?: Schema;
  /** The value may hold slashes. */
  readonly "x-multi-segment"?: boolean;
}

interface Message {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}

interface Slice {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-webhooks": Readonly<Record<string, { readonly post: Operation }>>;
}

/** GitHub's published description, cut down to what the world may have to serve, as standard JSON schema. */
export const slice = makeStandard(
  JSON.parse(readFileSync(new URL("../openapi-slice.json", import.meta.url), "utf8")),
) as Slice;

/** What a reference leads to. */
export function follow<T extends { readonly $ref?: string }>(node: T): T {
  let found = node;
  while (found.$ref !== undefined) {
    found = found.$ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], slice) as T;
  }
  return found;
}

/** Schema of a message's JSON body; null where it has none. */
export function jsonSchema(message: Message | undefined): Schema | null {
  return message === undefined ? null : (follow(message).content?.["application/json"]?.schema ?? null);
}

export function parametersOf(operation: Operation): readonly Parameter[] {
  return (operation.parameters ?? []).map(follow);
}
