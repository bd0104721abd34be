import { isIP } from "node:net";

export type GitHubAddress =
  | { readonly kind: "ok"; readonly apiUrl: string; readonly webUrl: string }
  | { readonly kind: "invalid"; readonly name: "GHE_HOST" | "GHE_PROTOCOL"; readonly reason: string };

/** Addresses of GitHub by Probot's two settings; empty ones stand for github.com. */
export function githubAddress(host: string, protocol: string): GitHubAddress {
  if (host === "" || host === "github.com") {
    return { kind: "ok", apiUrl: "https://api.github.com", webUrl: "https://github.com" };
  }
  if (protocol !== "https" && protocol !== "http") {
    return { kind: "invalid", name: "GHE_PROTOCOL", reason: `is "${protocol}", not https or http` };
  }
  const webUrl = `${protocol}://${host}`;
  const url = URL.canParse(webUrl) ? new URL(webUrl) : null;
  if (url === null || url.host !== (protocol === "https" ? host.replace(/:443$/, "") : host.replace(/:80$/, ""))) {
    return { kind: "invalid", name: "GHE_HOST", reason: `is "${host}", not a host's name with or without a port` };
  }
  // Every request carries a token.
  if (protocol === "http" && !isLoopback(url.hostname)) {
    return { kind: "invalid", name: "GHE_PROTOCOL", reason: "is http, which sends tokens in clear to another machine" };
  }
  const apiUrl = url.hostname.endsWith(".ghe.com") ? `https://api.${host}` : `${webUrl}/api/v3`;
  return { kind: "ok", apiUrl, webUrl };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."));
}
