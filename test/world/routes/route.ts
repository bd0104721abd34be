import type { Auth, Caller } from "../auth.ts";
import type { Events } from "../events.ts";
import type { Shower } from "../show.ts";
import type { Repository, State } from "../state.ts";

/** What a handler works with. */
export interface Call {
  readonly state: State;
  readonly show: Shower;
  readonly events: Events;
  readonly auth: Auth;
  readonly caller: Caller;
  /** Login that acts: the App's bot. */
  readonly actor: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
  /** The repository of the path. */
  readonly repository: Repository;
  /** Accept header. */
  readonly accept: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** A list: it is cut into pages. */
  readonly list?: readonly unknown[];
  /** Wraps the page of a list, where GitHub does not answer a bare array. */
  readonly wrap?: (page: readonly unknown[], total: number) => unknown;
  /** Plain text instead of JSON. */
  readonly text?: string;
}

export type Handler = (call: Call) => Answer;

export interface Served {
  readonly handler: Handler;
  /** Permission of an installation's token, or who may ask at all. */
  readonly needs: readonly [permission: string, level: "read" | "write"] | "app" | "any-token";
}

/** Routes by `METHOD /template`. */
export type RouteTable = Readonly<Record<string, Served>>;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const notFound: Answer = { status: 404, body: { message: "Not Found", documentation_url: "", status: "404" } };

export function refused(message: string, ...errors: readonly string[]): Answer {
  return {
    status: 422,
    body: {
      message: "Validation Failed",
      documentation_url: "",
      errors: [message, ...errors].map((item) => ({ resource: "", code: "custom", field: "", message: item })),
    },
  };
}

export const forbidden = (message: string): Answer => ({
  status: 403,
  body: { message, documentation_url: "", status: "403" },
});
