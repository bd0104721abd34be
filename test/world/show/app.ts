import type { Core, Permissions } from "../core.ts";
import { showAccount } from "./account.ts";
import { type Json, nodeId } from "./values.ts";

/** Account that owns the App. */
const appOwner = "octo-org";

export function showApp(core: Core): Json {
  const { app } = core;
  return {
    id: app.id,
    slug: app.slug,
    client_id: app.clientId,
    node_id: nodeId("App", app.id),
    owner: showAccount(core, appOwner),
    name: app.slug,
    description: null,
    external_url: "https://example.invalid",
    html_url: `${core.url}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
    installations_count: app.installed ? 1 : 0,
  };
}

export function showInstallation(core: Core, account = appOwner): Json {
  const { app } = core;
  const owner = core.state.account(account);
  return {
    id: app.installationId,
    node_id: nodeId("Installation", app.installationId),
    client_id: app.clientId,
    account: showAccount(core, account),
    repository_selection: "all",
    access_tokens_url: `${core.url}/api/v3/app/installations/${app.installationId}/access_tokens`,
    repositories_url: `${core.url}/api/v3/installation/repositories`,
    html_url: `${core.url}/settings/installations/${app.installationId}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: owner.id,
    target_type: owner.type,
    permissions: app.permissions,
    events: app.events,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

export function showToken(token: {
  readonly token: string;
  readonly expiresAt: Date;
  readonly permissions: Permissions;
  readonly selected: boolean;
}): Json {
  return {
    token: token.token,
    expires_at: token.expiresAt.toISOString().replace(/\.\d+Z$/, "Z"),
    permissions: token.permissions,
    repository_selection: token.selected ? "selected" : "all",
  };
}
