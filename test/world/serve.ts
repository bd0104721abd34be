import { Hono } from "hono";
import type { Api } from "./api/api.ts";
import type { Tokens } from "./auth/tokens.ts";
import type { Core } from "./core.ts";
import { serveGit } from "./git/http.ts";
import type { ManifestCodes } from "./manifest.ts";
import { pageRoutes } from "./page/routes.ts";

/** Largest body of a request of the API, in bytes. */
const bodyBytesMax = 50 * 1024 * 1024;

/** The world's server: the API and git as on GitHub Enterprise Server, and pages for people. */
export function makeServer(parts: {
  readonly core: Core;
  readonly tokens: Tokens;
  readonly api: Api;
  readonly codes: ManifestCodes;
}): Hono {
  const { core, api, codes } = parts;
  const server = new Hono();

  server.post("/api/graphql", (context) => {
    core.violation("POST /api/graphql is not supported by the world yet");
    return context.json({ message: "GraphQL is not supported by this world yet" }, 501);
  });

  server.all("/api/v3/*", async (context) => {
    const { req } = context;
    const url = new URL(req.url);
    const text = req.method === "GET" ? "" : await req.text();
    if (text.length > bodyBytesMax) return context.json({ message: "Payload too large" }, 413);
    const reply = await api.handle({
      method: req.method,
      path: url.pathname.slice("/api/v3".length),
      query: Object.fromEntries(url.searchParams),
      authorization: req.header("authorization"),
      accept: req.header("accept") ?? "",
      ifNoneMatch: req.header("if-none-match"),
      body: readJson(text),
    });
    // By the world's own clock: clients correct theirs by this header.
    const headers = { date: core.now().toUTCString(), ...reply.headers };
    const bodyless = reply.status === 204 || reply.status === 304;
    return new Response(bodyless ? null : reply.body, { status: reply.status, headers });
  });

  server.post("/settings/apps/new", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const taken = codes.accept(form, context.req.query("state") ?? null);
    return "problem" in taken ? context.text(taken.problem, 422) : context.redirect(taken.location);
  });

  server.all("/:owner/:repository{.+\\.git}/:service{.+}", async (context) => {
    const { owner, repository, service } = context.req.param();
    return await serveGit(parts, context.req.raw, { owner, name: repository.replace(/\.git$/, ""), service });
  });

  server.route("/", pageRoutes(core));

  server.onError((error, context) => {
    core.violation(`the world failed at ${context.req.method} ${context.req.path}: ${error.stack ?? error.message}`);
    return context.json({ message: "Server Error" }, 500);
  });
  return server;
}

/** null for no body; undefined for one that is no JSON. */
function readJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
