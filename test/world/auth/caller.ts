import type { Core } from "../core.ts";
import { refuseJwt } from "./jwt.ts";
import type { InstallationToken, Tokens } from "./tokens.ts";

/** Who asks. */
export type Caller =
  | { readonly kind: "app" }
  | { readonly kind: "installation"; readonly token: InstallationToken }
  | { readonly kind: "nobody"; readonly why: string };

/** Reads the Authorization header of a request of the API. */
export function readCaller(core: Core, tokens: Tokens, header: string | undefined): Caller {
  const [scheme = "", value = ""] = (header ?? "").split(" ");
  if (value === "") return { kind: "nobody", why: "Requires authentication" };
  if (scheme.toLowerCase() === "bearer" && value.includes(".")) {
    const why = refuseJwt(core.app, core.now(), value);
    return why === null ? { kind: "app" } : { kind: "nobody", why };
  }
  return callerOf(tokens.find(value));
}

/** Reads the header of a git request: basic, with the token as password. */
export function readGitCaller(tokens: Tokens, header: string | undefined): Caller {
  const [scheme = "", value = ""] = (header ?? "").split(" ");
  if (scheme.toLowerCase() !== "basic") return { kind: "nobody", why: "Requires authentication" };
  const [user = "", password = ""] = Buffer.from(value, "base64").toString("utf8").split(":", 2);
  return user === "x-access-token" ? callerOf(tokens.find(password)) : { kind: "nobody", why: "Bad credentials" };
}

function callerOf(token: InstallationToken | null): Caller {
  return token === null ? { kind: "nobody", why: "Bad credentials" } : { kind: "installation", token };
}
