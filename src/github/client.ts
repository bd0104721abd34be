import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { Octokit } from "@octokit/rest";
import type { RepositoryRef } from "../domain/trigger.ts";
import type { GitHub, GitHubApp } from "./github.ts";
import { openOwnerFiles } from "./owner-file.ts";
import { reactTo, statusOf } from "./retry.ts";
import { createThrottle, type Throttle, waitMillisecondsMax } from "./throttle.ts";

export interface AppSettings {
  readonly appId: number;
  readonly privateKey: string;
  /** For example `https://api.github.com`, or `https://HOST/api/v3`. */
  readonly apiUrl: string;
  /** For example `https://github.com`. */
  readonly webUrl: string;
}

/** Fewest permissions a chain needs (chain.md "Preflight"). */
const tokenPermissions = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
} as const;

/** A token is minted again when it would expire within this time, in milliseconds. They live for an hour. */
const tokenMarginMilliseconds = 5 * 60_000;

/** Octokit prints each failed request by itself; what fails is told by whoever asked. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

interface Token {
  readonly token: string;
  readonly expiresAt: number;
  readonly permissions: Readonly<Record<string, string>>;
}

/** Opens the App. One request is made: for its own name. */
export async function openGitHubApp(settings: AppSettings): Promise<GitHubApp> {
  const baseUrl = settings.apiUrl;
  // Without its own `request`, the App's authentication asks api.github.com whatever the base URL says.
  const app = new Octokit({
    baseUrl,
    authStrategy: createAppAuth,
    auth: { appId: settings.appId, privateKey: settings.privateKey, request: request.defaults({ baseUrl }) },
    request: { timeout: 30_000 },
    userAgent: "gavel",
    log: silent,
  });
  const throttles = new Map<number, Throttle>();
  const tokens = new Map<string, Promise<Token>>();
  const { data } = await app.rest.apps.getAuthenticated();
  const botLogin = `${data?.slug ?? "gavel"}[bot]`;

  const throttleOf = (installation: number): Throttle => {
    const throttle = throttles.get(installation) ?? createThrottle();
    throttles.set(installation, throttle);
    return throttle;
  };

  const mint = async (ref: RepositoryRef): Promise<Token> => {
    const { data: minted } = await throttleOf(ref.installationId).run("read", () =>
      app.rest.apps.createInstallationAccessToken({
        installation_id: ref.installationId,
        repository_ids: [ref.id],
        permissions: tokenPermissions,
      }),
    );
    return {
      token: minted.token,
      expiresAt: Date.parse(minted.expires_at),
      permissions: minted.permissions ?? {},
    };
  };

  const tokenOf = async (ref: RepositoryRef, fresh = false): Promise<Token> => {
    const key = `${ref.installationId}/${ref.id}`;
    const known = fresh ? undefined : tokens.get(key);
    if (known !== undefined) {
      const token = await known;
      if (token.expiresAt - Date.now() > tokenMarginMilliseconds) return token;
    }
    const minting = mint(ref);
    tokens.set(key, minting);
    minting.catch(() => tokens.delete(key));
    return await minting;
  };

  const ownerFiles = openOwnerFiles(app, baseUrl, throttleOf);
  return {
    botLogin,
    readOwnerFile: (ref, path) => ownerFiles(ref, path),
    repository(ref) {
      let calls = 0;
      const octokit = new Octokit({ baseUrl, request: { timeout: 60_000 }, userAgent: "gavel", log: silent });
      const throttle = throttleOf(ref.installationId);
      octokit.hook.wrap("request", async (send, options) => {
        const method = options.method ?? "GET";
        let renewed = false;
        for (let tries = 1; ; tries++) {
          const { token } = await tokenOf(ref, renewed && tries === 2);
          options.headers.authorization = `token ${token}`;
          try {
            return await throttle.run(method === "GET" ? "read" : "write", async () => {
              calls += 1;
              return await send(options);
            });
          } catch (error) {
            // An expired or revoked token: one new one, then it is an answer.
            if (statusOf(error) === 401 && !renewed) {
              renewed = true;
              continue;
            }
            const reaction = reactTo(error, method, tries, Date.now());
            if (reaction.kind === "give-up" || reaction.milliseconds > waitMillisecondsMax) throw error;
            if (reaction.kind === "wait") throttle.hold(reaction.milliseconds);
            else await new Promise((resolve) => setTimeout(resolve, reaction.milliseconds));
          }
        }
      });
      const github: GitHub = {
        repository: ref,
        octokit,
        botLogin,
        gitUrl: `${settings.webUrl}/${ref.owner}/${ref.name}.git`,
        gitToken: async () => (await tokenOf(ref)).token,
        permissions: async () => (await tokenOf(ref)).permissions,
        calls: () => calls,
      };
      return Promise.resolve(github);
    },
  };
}
