import { createPublicKey, createVerify, randomBytes } from "node:crypto";
import type { Repository } from "./state.ts";

/** How long an installation's token lives, in seconds. */
const tokenSeconds = 3600;

/** Longest life of an App's own token, in seconds. */
const jwtSecondsMax = 600;

/** A clock may be this far off, in seconds. */
const skewSeconds = 60;

export type Level = "read" | "write";

export interface InstallationToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly repositories: ReadonlySet<number>;
  readonly permissions: Readonly<Record<string, Level>>;
}

export type Caller =
  | { readonly kind: "app" }
  | { readonly kind: "installation"; readonly token: InstallationToken }
  | { readonly kind: "nobody"; readonly why: string };

export interface Auth {
  readonly granted: Readonly<Record<string, Level>>;
  mint(repositories: readonly Repository[], permissions: Readonly<Record<string, Level>>): InstallationToken;
  /** Who sends this Authorization header. */
  caller(header: string | undefined): Caller;
  /** Who pushes or fetches with this one. */
  gitCaller(header: string | undefined): Caller;
  revokeAll(): void;
}

/** What the App was granted when it was installed. */
export const defaultPermissions: Readonly<Record<string, Level>> = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
};

export function openAuth(
  app: { readonly id: number; readonly publicKey: string; readonly now: () => Date },
  granted: Readonly<Record<string, Level>>,
): Auth {
  const tokens = new Map<string, InstallationToken>();
  const key = createPublicKey(app.publicKey);

  const readJwt = (jwt: string): Caller => {
    const [header = "", payload = "", signature = ""] = jwt.split(".");
    const verify = createVerify("RSA-SHA256").update(`${header}.${payload}`);
    if (!verify.verify(key, Buffer.from(signature, "base64url")))
      return { kind: "nobody", why: "the JWT's signature is wrong" };
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
      iat: number;
      exp: number;
      iss: unknown;
    };
    const now = app.now().getTime() / 1000;
    if (Number(claims.iss) !== app.id) return { kind: "nobody", why: "the JWT is another App's" };
    if (claims.iat > now + skewSeconds || claims.exp < now) return { kind: "nobody", why: "the JWT is not valid now" };
    if (claims.exp - claims.iat > jwtSecondsMax + skewSeconds) return { kind: "nobody", why: "the JWT lives too long" };
    return { kind: "app" };
  };
  const readToken = (token: string): Caller => {
    const found = tokens.get(token);
    if (found === undefined) return { kind: "nobody", why: "Bad credentials" };
    if (found.expiresAt <= app.now()) return { kind: "nobody", why: "Bad credentials" };
    return { kind: "installation", token: found };
  };
  return {
    granted,
    mint(repositories, permissions) {
      const token: InstallationToken = {
        token: `ghs_${randomBytes(18).toString("hex")}`,
        expiresAt: new Date(app.now().getTime() + tokenSeconds * 1000),
        repositories: new Set(repositories.map((repository) => repository.id)),
        permissions,
      };
      tokens.set(token.token, token);
      return token;
    },
    caller(header) {
      const [scheme = "", value = ""] = (header ?? "").split(" ");
      if (value === "") return { kind: "nobody", why: "Requires authentication" };
      return scheme.toLowerCase() === "bearer" && value.split(".").length === 3 ? readJwt(value) : readToken(value);
    },
    gitCaller(header) {
      const [scheme = "", value = ""] = (header ?? "").split(" ");
      if (scheme.toLowerCase() !== "basic") return { kind: "nobody", why: "Requires authentication" };
      const [, password = ""] = Buffer.from(value, "base64").toString().split(":");
      return readToken(password);
    },
    revokeAll: () => tokens.clear(),
  };
}
