import { type Context, Hono } from "hono";
import type { Core } from "../core.ts";
import { findRepository } from "../state.ts";
import { itemPage } from "./item.ts";
import { listPage, repositoryPage } from "./list.ts";

/** Nothing on these pages runs, and nothing is loaded. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:";

/** Pages for people to look at. */
export function pageRoutes(core: Core): Hono {
  const pages = new Hono();
  pages.use(async (context, next) => {
    await next();
    context.header("content-security-policy", policy);
  });
  pages.get("/", (context) => context.html(listPage(core.state.repositories)));
  pages.get("/:owner/:name", (context) => {
    const repository = findRepository(core.state, context.req.param("owner"), context.req.param("name"));
    return repository === null ? context.notFound() : context.html(repositoryPage(repository));
  });
  const item = (context: Context) => {
    const { owner = "", name = "", number = "" } = context.req.param() as Record<string, string>;
    const repository = findRepository(core.state, owner, name);
    const issue = repository?.issues.get(Number(number));
    return repository === null || issue === undefined ? context.notFound() : context.html(itemPage(repository, issue));
  };
  pages.get("/:owner/:name/issues/:number{\\d+}", item);
  pages.get("/:owner/:name/pull/:number{\\d+}", item);
  return pages;
}
