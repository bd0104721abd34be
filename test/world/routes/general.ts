import { created, notFound, ok } from "../api/reply.ts";
import type { RouteTable } from "../api/route-table.ts";
import type { Limits } from "../api/limits.ts";
import type { ManifestCodes } from "../manifest.ts";
import { showAccount } from "../show/account.ts";
import { showApp } from "../show/app.ts";

/** Routes that belong to no repository. */
export function generalRoutes(limits: Limits, codes: ManifestCodes): RouteTable {
  return {
    "POST /app-manifests/{code}/conversions": {
      needs: "anybody",
      run: ({ core, params }) => {
        const name = codes.take(params["code"] ?? "");
        const { app } = core;
        if (name === null) return notFound;
        return created({
          ...showApp(core),
          name,
          client_id: app.clientId,
          client_secret: app.clientSecret,
          webhook_secret: app.webhookSecret,
          pem: app.privateKey,
        });
      },
    },
    "GET /rate_limit": {
      needs: "anybody",
      run: ({ caller }) => {
        const rate = limits.peek(caller);
        return ok({ resources: { core: rate, search: rate }, rate });
      },
    },
    "GET /meta": {
      needs: "anybody",
      run: () => ok({ verifiable_password_authentication: false, installed_version: "3.17.0" }),
    },
    "GET /users/{username}": {
      needs: "anybody",
      run: ({ core, params }) => {
        const account = core.state.accounts.get((params["username"] ?? "").toLowerCase());
        if (account === undefined) return notFound;
        return ok({
          ...showAccount(core, account.login),
          name: account.login,
          company: null,
          blog: null,
          location: null,
          email: null,
          hireable: null,
          bio: null,
          public_repos: 0,
          public_gists: 0,
          followers: 0,
          following: 0,
          created_at: core.app.createdAt,
          updated_at: core.app.createdAt,
        });
      },
    },
  };
}
