import type { Core } from "../core.ts";
import { type Repository, roleOf } from "../state.ts";
import { type Json, nodeId } from "./values.ts";

/** An account; null for one that was deleted. */
export function showAccount(core: Core, login: string | null): Json | null {
  if (login === null) return null;
  const account = core.state.account(login);
  const api = `${core.url}/api/v3/users/${encodeURIComponent(account.login)}`;
  const page = account.type === "Bot" ? `/apps/${core.app.slug}` : `/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${core.url}/avatars/u/${account.id}`,
    gravatar_id: "",
    url: api,
    html_url: `${core.url}${page}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

/** An organization as webhooks name it. */
export function showOrganization(core: Core, login: string): Json {
  const account = core.state.account(login);
  const api = `${core.url}/api/v3/orgs/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${core.url}/avatars/u/${account.id}`,
    description: null,
  };
}

/** How an author belongs to a repository. A bot belongs to nobody. */
export function showAssociation(repository: Repository, login: string | null): string {
  if (login === null || login.endsWith("[bot]")) return "NONE";
  if (login.toLowerCase() === repository.owner.toLowerCase()) return "OWNER";
  const role = repository.roles.has(login.toLowerCase()) ? roleOf(repository, login) : "none";
  return role === "none" ? "NONE" : "COLLABORATOR";
}
