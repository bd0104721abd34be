import type { Caller } from "../auth/caller.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { Core, Level } from "../core.ts";
import type { Repository } from "../state.ts";
import type { Answer } from "./reply.ts";

/** What a handler works with. */
export interface Call {
  readonly core: Core;
  readonly tokens: Tokens;
  readonly caller: Caller;
  /** Login of the App's bot: whoever asks acts as it. */
  readonly actor: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Valid by GitHub's description. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The Accept header. */
  readonly accept: string;
}

/** What a handler of a route below `/repos/{owner}/{repo}` works with. */
export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

export type Need = readonly [permission: string, level: Level];

/**
 * Who may ask: the App with its own token, anybody, or a token with one of these permissions (issues and pull
 * requests share routes: either permission opens them).
 */
export type Served =
  | { readonly needs: "app" | "anybody" | "installation"; readonly run: (call: Call) => Answer }
  /** The App asks about a repository. */
  | { readonly needs: "app-on-repository"; readonly run: (call: RepositoryCall) => Answer }
  | { readonly needs: readonly Need[]; readonly run: (call: RepositoryCall) => Answer };

/** Routes by `METHOD /template`. */
export type RouteTable = Readonly<Record<string, Served>>;

/** A route that is opened by one permission. */
export function route(permission: string, level: Level, run: (call: RepositoryCall) => Answer): Served {
  return { needs: [[permission, level]], run };
}

/** A route on what issues and pull requests share. */
export function sharedRoute(level: Level, run: (call: RepositoryCall) => Answer): Served {
  return {
    needs: [
      ["issues", level],
      ["pull_requests", level],
    ],
    run,
  };
}
