import type { Auth, Caller } from "./auth.ts";
import { checkRequest, checkResponse, completeResponse, type Route, routes } from "./openapi.ts";
import { type Answer, forbidden, notFound, type RouteTable } from "./routes/route.ts";
import type { Events } from "./events.ts";
import type { Shower } from "./show.ts";
import { findRepository, type State } from "./state.ts";

/** Requests that the journal keeps. */
const journalMax = 10_000;

/** Calls that GitHub allows an installation in an hour. */
const callsPerHour = 5000;

export interface JournalEntry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** Something that goes wrong on purpose with the next requests that match. */
export interface Fault {
  readonly method?: string;
  /** Part of the route's template. */
  readonly route?: string;
  times: number;
  readonly kind: "status" | "after-write-502" | "primary-limit" | "secondary-limit";
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

export interface ApiRequest {
  readonly method: string;
  /** Below `/api/v3`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly body: unknown;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Compiled extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Templates as patterns, the most literal first. A path or a ref may hold slashes. */
const compiledRoutes: readonly Compiled[] = routes()
  .map((route) => {
    const names = [...route.template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const pattern = route.template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      ["path", "ref", "basehead", "branch"].includes(name) ? "(.+)" : "([^/]+)",
    );
    return { ...route, names, pattern: new RegExp(`^${pattern}$`) };
  })
  .toSorted((a, b) => literal(b.template) - literal(a.template));

function literal(template: string): number {
  return template.replaceAll(/\{\w+\}/g, "").length;
}

export interface Dispatcher {
  handle(request: ApiRequest): ApiReply;
  readonly journal: readonly JournalEntry[];
  readonly faults: Fault[];
}

/** Answers requests as GitHub does, and checks each and its answer against GitHub's description. */
export function openDispatcher(world: {
  readonly url: string;
  readonly state: State;
  readonly show: Shower;
  readonly events: Events;
  readonly auth: Auth;
  readonly actor: string;
  readonly table: RouteTable;
  readonly violation: (what: string) => void;
}): Dispatcher {
  const journal: JournalEntry[] = [];
  const faults: Fault[] = [];
  let calls = 0;

  const takeFault = (route: Compiled): Fault | null => {
    const found = faults.find(
      (fault) =>
        fault.times > 0 &&
        (fault.method === undefined || fault.method === route.method) &&
        (fault.route === undefined || route.template.includes(fault.route)),
    );
    if (found === undefined) return null;
    found.times -= 1;
    return found;
  };

  const answer = (request: ApiRequest, route: Compiled, match: RegExpExecArray): Answer => {
    const served = world.table[`${route.method} ${route.template}`];
    if (served === undefined) {
      world.violation(`${route.method} ${route.template} is not served by the world`);
      return notFound;
    }
    const params = Object.fromEntries(
      route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]),
    );
    const caller = world.auth.caller(request.authorization);
    const repository =
      params["owner"] === undefined ? null : findRepository(world.state, params["owner"], params["repo"] ?? "");
    const stopped = refuse(caller, served.needs, repository?.id ?? null);
    if (stopped !== null) return stopped;
    if (params["owner"] !== undefined && repository === null) return notFound;
    const body = request.method === "GET" || request.method === "DELETE" ? null : (request.body ?? null);
    for (const problem of checkRequest(route, request.query, body)) {
      world.violation(`request ${route.method} ${route.template}: ${problem}`);
    }
    return served.handler({
      ...world,
      caller,
      params,
      query: request.query,
      body: (body ?? {}) as Record<string, unknown>,
      // Handlers of routes without a repository do not look.
      repository: repository as NonNullable<typeof repository>,
      accept: request.accept,
    });
  };

  const reply = (request: ApiRequest, route: Compiled, given: Answer): ApiReply => {
    calls += 1;
    const headers: Record<string, string> = {
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": String(callsPerHour),
      "x-ratelimit-remaining": String(Math.max(0, callsPerHour - calls)),
      "x-ratelimit-reset": String(Math.floor(Date.parse(world.state.now()) / 1000) + 3600),
      "x-github-media-type": "github.v3; format=json",
    };
    if (given.text !== undefined)
      return { status: given.status, headers: { ...headers, "content-type": "text/plain" }, body: given.text };
    const paged = given.list === undefined ? given.body : page(world.url, request, given, headers);
    const body = paged === undefined ? undefined : completeResponse(route, given.status, paged);
    if (body !== undefined) {
      for (const problem of checkResponse(route, given.status, body)) {
        world.violation(`response ${given.status} ${route.method} ${route.template}: ${problem}`);
      }
    }
    return { status: given.status, headers, body: body === undefined ? "" : JSON.stringify(body) };
  };

  return {
    journal,
    faults,
    handle(request) {
      const path = request.path.split("?")[0] ?? "";
      for (const route of compiledRoutes) {
        if (route.method !== request.method) continue;
        const match = route.pattern.exec(path);
        if (match === null) continue;
        const fault = takeFault(route);
        const made =
          fault === null || fault.kind === "after-write-502"
            ? reply(request, route, answer(request, route, match))
            : null;
        const sent = fault === null && made !== null ? made : faulty(fault, world.state);
        journal.push({ method: request.method, route: route.template, status: sent.status });
        if (journal.length > journalMax) journal.shift();
        return sent;
      }
      world.violation(`${request.method} ${path} is outside of GitHub's description`);
      return { status: 404, headers: { "content-type": "application/json" }, body: JSON.stringify(notFound.body) };
    },
  };
}

function refuse(caller: Caller, needs: RouteTable[string]["needs"], repository: number | null): Answer | null {
  if (needs === "any-token") return null;
  if (caller.kind === "nobody")
    return { status: 401, body: { message: caller.why, documentation_url: "", status: "401" } };
  if (needs === "app") return caller.kind === "app" ? null : forbidden("A JSON web token could not be decoded");
  if (caller.kind === "app")
    return { status: 401, body: { message: "Bad credentials", documentation_url: "", status: "401" } };
  if (repository !== null && !caller.token.repositories.has(repository)) return notFound;
  const [permission, level] = needs;
  const has = caller.token.permissions[permission];
  // Issues and pull requests share their comments, labels and reactions.
  const alike = permission === "issues" ? caller.token.permissions["pull_requests"] : undefined;
  const enough = [has, alike].some((item) => item === "write" || (item !== undefined && level === "read"));
  return enough ? null : forbidden("Resource not accessible by integration");
}

function page(url: string, request: ApiRequest, given: Answer, headers: Record<string, string>): unknown {
  const list = given.list ?? [];
  const size = Math.min(100, Number(request.query["per_page"] ?? 30));
  const number = Number(request.query["page"] ?? 1);
  const last = Math.max(1, Math.ceil(list.length / size));
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams({ ...request.query, page: String(to) });
    return `<${url}/api/v3${request.path}?${query}>; rel="${rel}"`;
  };
  if (number < last) headers["link"] = [link(number + 1, "next"), link(last, "last")].join(", ");
  const items = list.slice((number - 1) * size, number * size);
  return given.wrap === undefined ? items : given.wrap(items, list.length);
}

function faulty(fault: Fault | null, state: State): ApiReply {
  const json = { "content-type": "application/json" };
  const say = (status: number, message: string, headers: Record<string, string> = {}): ApiReply => ({
    status,
    headers: { ...json, ...headers },
    body: JSON.stringify({ message, documentation_url: "" }),
  });
  switch (fault?.kind) {
    case "primary-limit":
      return say(403, "API rate limit exceeded for installation ID 1.", {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(Math.floor(Date.parse(state.now()) / 1000) + (fault.retryAfterSeconds ?? 1)),
      });
    case "secondary-limit":
      return say(403, "You have exceeded a secondary rate limit.", {
        "retry-after": String(fault.retryAfterSeconds ?? 1),
      });
    case "status":
      return say(fault.status ?? 500, "Server Error");
    default:
      return say(502, "Server Error");
  }
}
