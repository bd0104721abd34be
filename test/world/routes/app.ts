import type { Level } from "../auth.ts";
import { created, notFound, ok, refused, type RouteTable } from "./route.ts";

/** The App itself: its tokens are narrowed by repository and permission. */
export const appRoutes = (app: {
  id: number;
  slug: string;
  installationId: number;
  created: Map<string, object>;
}): RouteTable => {
  const about = {
    id: app.id,
    slug: app.slug,
    node_id: "A",
    name: app.slug,
    owner: undefined,
    permissions: {},
    events: [],
  };
  return {
    "GET /app": { needs: "app", handler: () => ok(about) },
    "POST /app/installations/{installation_id}/access_tokens": {
      needs: "app",
      handler({ state, auth, params, body, show }) {
        if (Number(params["installation_id"]) !== app.installationId) return notFound;
        const ids = body["repository_ids"] as number[] | undefined;
        const names = body["repositories"] as string[] | undefined;
        const wanted = state.repositories.filter(
          (item) => (ids === undefined || ids.includes(item.id)) && (names === undefined || names.includes(item.name)),
        );
        const asked = ids?.length ?? names?.length;
        if (asked !== undefined && wanted.length !== asked)
          return refused("There is at least one repository that does not exist.");
        const permissions = (body["permissions"] ?? auth.granted) as Record<string, Level>;
        const beyond = Object.entries(permissions).find(
          ([name, level]) => auth.granted[name] === undefined || (level === "write" && auth.granted[name] === "read"),
        );
        if (beyond !== undefined)
          return refused(`The permissions requested are not granted to this installation: ${beyond[0]}.`);
        const token = auth.mint(wanted, permissions);
        return created({
          token: token.token,
          expires_at: token.expiresAt.toISOString(),
          permissions,
          repository_selection: asked === undefined ? "all" : "selected",
          repositories: wanted.map((item) => show.repository(item)),
        });
      },
    },
    "GET /repos/{owner}/{repo}/installation": {
      needs: "app",
      handler: () => ok({ id: app.installationId, app_id: app.id, app_slug: app.slug }),
    },
    "POST /app-manifests/{code}/conversions": {
      needs: "any-token",
      handler: ({ params }) => {
        const made = app.created.get(params["code"] ?? "");
        app.created.delete(params["code"] ?? "");
        return made === undefined ? notFound : created(made);
      },
    },
  };
};
