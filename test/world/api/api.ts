import { createHash } from "node:crypto";
import { type Caller, readCaller } from "../auth/caller.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { Core } from "../core.ts";
import { checkRequest, checkResponse } from "../openapi/check.ts";
import { matchRoute, type Route } from "../openapi/routes.ts";
import { admit } from "./access.ts";
import type { Faults, RequestFault } from "./faults.ts";
import { type Limits, type Rate, rateHeaders } from "./limits.ts";
import { cutPage } from "./pages.ts";
import { type Answer, notFound, refuse } from "./reply.ts";
import type { Call, RouteTable } from "./route-table.ts";

/** Requests that the journal keeps. */
const journalMax = 10_000;

export interface JournalEntry {
  readonly method: string;
  /** Template of the route; the path where there is no such route. */
  readonly route: string;
  readonly status: number;
  readonly at: string;
  /** Installation whose token was used; null: the App itself, or nobody. */
  readonly installation: number | null;
}

export interface ApiRequest {
  readonly method: string;
  /** Below `/api/v3`, as it was sent. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly ifNoneMatch: string | undefined;
  /** null where there is none; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Api {
  handle(request: ApiRequest): Promise<ApiReply>;
  readonly journal: readonly JournalEntry[];
}

/** Answers requests as GitHub does, and holds each request and each answer to GitHub's description. */
export function openApi(parts: {
  readonly core: Core;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly table: RouteTable;
}): Api {
  const { core, tokens, faults, limits, table } = parts;
  const journal: JournalEntry[] = [];

  const note = (request: ApiRequest, route: string, status: number, caller: Caller): void => {
    const installation = caller.kind === "installation" ? core.app.installationId : null;
    journal.push({ method: request.method, route, status, at: core.now().toISOString(), installation });
    if (journal.length > journalMax) journal.shift();
  };

  const answer = (request: ApiRequest, route: Route, params: Call["params"], caller: Caller): Answer => {
    const served = table[route.key];
    if (served === undefined) {
      core.violation(`${route.key} is not served by the world`);
      return refuse(501, "Not served by this world");
    }
    if (request.body === undefined) {
      core.violation(`request ${route.key}: the body is no JSON`);
      return refuse(400, "Problems parsing JSON");
    }
    const problems = checkRequest(route, { params, query: request.query, body: request.body });
    for (const problem of problems) core.violation(`request ${route.key}: ${problem}`);
    if (problems.length > 0) return refuse(422, `Invalid request.\n\n${problems.join("\n")}`);
    const call: Call = {
      core,
      tokens,
      caller,
      params,
      query: request.query,
      accept: request.accept,
      actor: core.app.botLogin,
      body: (request.body ?? {}) as Call["body"],
    };
    return admit(served, call, request.method);
  };

  const write = (request: ApiRequest, route: Route, given: Answer): ApiReply => {
    switch (given.kind) {
      case "empty":
        return { status: given.status, headers: {}, body: "" };
      case "redirect":
        return { status: 302, headers: { location: given.location }, body: "" };
      case "text":
        return { status: 200, headers: { "content-type": given.type }, body: given.text };
      case "list": {
        const { page, link } = cutPage(given.items, { url: `${core.url}/api/v3${request.path}`, query: request.query });
        const body = given.wrap === undefined ? page : given.wrap(page, given.items.length);
        return writeJson(route, 200, body, link === null ? {} : { link });
      }
      case "json":
        return writeJson(route, given.status, given.body, given.headers);
    }
  };

  const writeJson = (
    route: Route,
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): ApiReply => {
    const text = JSON.stringify(body);
    // Checked as it arrives: what JSON drops is missing.
    for (const problem of checkResponse(route, status, JSON.parse(text))) {
      core.violation(`response ${status} ${route.key}: ${problem}`);
    }
    return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: text };
  };

  const perform = (request: ApiRequest, route: Route, params: Call["params"], caller: Caller): ApiReply => {
    const reply = write(request, route, answer(request, route, params, caller));
    if (request.method !== "GET" || reply.status !== 200) return reply;
    const etag = `W/"${createHash("sha256").update(reply.body).digest("hex")}"`;
    const unchanged = request.ifNoneMatch === etag;
    return unchanged
      ? { status: 304, headers: { etag }, body: "" }
      : { ...reply, headers: { ...reply.headers, etag, "cache-control": "private, max-age=60, s-maxage=60" } };
  };

  return {
    journal,
    async handle(request) {
      const caller = readCaller(core, tokens, request.authorization);
      const matched = matchRoute(request.method, request.path);
      if (matched === null) {
        core.violation(`${request.method} ${request.path} is outside of GitHub's description`);
        note(request, request.path, 404, caller);
        return plainJson(notFound);
      }
      const { route, params } = matched;
      const fault = faults.takeForRequest(request.method, route.template);
      if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
      const refusal = fault === null ? null : refuseByFault(fault, limits.peek(caller), core.now());
      const acts = refusal === null || fault?.kind === "after-write-502";
      const reply = acts ? perform(request, route, params, caller) : null;
      const sent = refusal ?? reply ?? plainJson(notFound);
      // An answer from the cache costs nothing.
      const rate = sent.status === 304 ? limits.peek(caller) : limits.count(caller);
      note(request, route.template, sent.status, caller);
      return {
        ...sent,
        headers: { ...rateHeaders(rate), "x-github-media-type": "github.v3; format=json", ...sent.headers },
      };
    },
  };
}

function plainJson(answer: Answer, headers: Readonly<Record<string, string>> = {}): ApiReply {
  if (answer.kind !== "json") throw new Error("only refusals are written without a route");
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status: answer.status, headers: { ...type, ...headers }, body: JSON.stringify(answer.body) };
}

/** What a fault answers in a route's place; null where the route answers. */
function refuseByFault(fault: RequestFault, rate: Rate, now: Date): ApiReply | null {
  switch (fault.kind) {
    case "slow":
      return null;
    case "after-write-502":
      return plainJson(refuse(502, "Server Error"));
    case "status":
      return plainJson(refuse(fault.status ?? 500, fault.message ?? "Server Error"), fault.headers);
    case "primary-limit":
      return plainJson(refuse(403, "API rate limit exceeded for installation."), {
        ...rateHeaders({
          ...rate,
          used: rate.limit,
          remaining: 0,
          reset: Math.floor(now.getTime() / 1000) + (fault.retryAfterSeconds ?? 1),
        }),
      });
    case "secondary-limit":
      return plainJson(refuse(403, "You have exceeded a secondary rate limit. Please wait a few minutes."), {
        "retry-after": String(fault.retryAfterSeconds ?? 1),
      });
  }
}
