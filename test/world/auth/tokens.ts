import { randomBytes } from "node:crypto";
import type { Permissions } from "../core.ts";

/** How long an installation's token lives, in seconds. */
const lifeSeconds = 3600;

export interface InstallationToken {
  readonly token: string;
  readonly expiresAt: Date;
  /** Ids of repositories; null: all of the installation, later ones too. */
  readonly repositories: ReadonlySet<number> | null;
  readonly permissions: Permissions;
}

export interface Tokens {
  mint(repositories: ReadonlySet<number> | null, permissions: Permissions): InstallationToken;
  /** A token that is good now; null for any other. */
  find(token: string): InstallationToken | null;
  revokeAll(): void;
}

export function openTokens(now: () => Date): Tokens {
  const tokens = new Map<string, InstallationToken>();
  return {
    mint(repositories, permissions) {
      const minted: InstallationToken = {
        token: `ghs_${randomBytes(18).toString("hex")}`,
        expiresAt: new Date(now().getTime() + lifeSeconds * 1000),
        repositories,
        permissions,
      };
      tokens.set(minted.token, minted);
      return minted;
    },
    find(token) {
      const found = tokens.get(token);
      return found === undefined || found.expiresAt <= now() ? null : found;
    },
    revokeAll: () => tokens.clear(),
  };
}

export function coversRepository(token: InstallationToken, id: number): boolean {
  return token.repositories === null || token.repositories.has(id);
}
