/**
 * What every git process of ours is started with. Flags of the command line outweigh every configuration file, so
 * nothing that lies in a tree, in the home folder or on the machine can make git start a program.
 */
export const hardening: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.untrackedCache=false",
  "core.askPass=",
  "core.pager=cat",
  "credential.helper=",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "push.recurseSubmodules=no",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "diff.external=",
  // Bytes on disk are the bytes of the blob, on every system alike.
  "core.autocrlf=false",
  "core.fileMode=true",
  "core.symlinks=true",
  "core.ignoreCase=false",
  "core.precomposeUnicode=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  // Quoted names stand on one line each, which is what the patch reader relies on.
  "core.quotePath=true",
  "protocol.allow=never",
];

/** How a server is spoken to in one command. The token is read when the command starts; empty: none. */
export interface Network {
  readonly url: string;
  readonly token: string;
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** https everywhere; http only to this machine; nothing else (no ssh, file, git, ext), and no credential in the URL. */
export function isAllowedUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname));
}

export function networkFlags(network: Network): string[] {
  const { protocol } = new URL(network.url);
  return [`protocol.${protocol.slice(0, -1)}.allow=always`, "http.lowSpeedLimit=1000", "http.lowSpeedTime=60"];
}

/** The machine's way out. Only commands that use the network see it. */
const passedOn = [
  "HTTPS_PROXY",
  "https_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
];

function basicCredential(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString("base64");
}

/** The token as configuration in the environment: never in argv, in the URL or in a file, and only for that server. */
export function networkEnvironment(network: Network): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  if (network.token !== "") {
    env["GIT_CONFIG_COUNT"] = "1";
    env["GIT_CONFIG_KEY_0"] = `http.${new URL(network.url).origin}/.extraHeader`;
    env["GIT_CONFIG_VALUE_0"] = `Authorization: Basic ${basicCredential(network.token)}`;
  }
  return env;
}

/** The whole environment of a git process; nothing is inherited but the search path. */
export function baseEnvironment(): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    // No home: no .netrc, no personal configuration, no keys.
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

/** Takes the token, in each form in which it is sent, and any credential of a URL out of a text. */
export function redact(text: string, network: Network | undefined): string {
  let clean = text.replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1***@");
  if (network !== undefined && network.token !== "") {
    clean = clean.replaceAll(basicCredential(network.token), "***").replaceAll(network.token, "***");
  }
  return clean;
}
