import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { App, Permissions } from "./core.ts";

/** What an App is granted that asks for what Gavel's manifest asks for. */
export const defaultPermissions: Permissions = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
};

export const defaultEvents: readonly string[] = [
  "check_run",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "push",
  "repository",
];

/** Made once for a process: making a key takes long, and nothing depends on its being new. */
let keys: { readonly publicKey: string; readonly privateKey: string } | null = null;

function makeKeys() {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

export function openApp(slug: string, createdAt: string): App {
  keys ??= makeKeys();
  return {
    ...keys,
    id: 77,
    clientId: "Iv1.0123456789abcdef",
    clientSecret: randomBytes(20).toString("hex"),
    slug,
    botLogin: `${slug}[bot]`,
    webhookSecret: randomBytes(20).toString("hex"),
    hookId: 9,
    installationId: 501,
    createdAt,
    permissions: defaultPermissions,
    events: defaultEvents,
    installed: true,
  };
}
