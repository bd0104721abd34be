import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { GavelError } from "../../errors.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** Beside the bundle that this module may be part of, else at the project's root. */
const places = [join(here, "app.yml"), join(here, "..", "..", "..", "app.yml")];

/** The path at which the server takes webhooks. */
export const hookPath = "/api/github/webhooks";

/** app.yml as it stands. Throws where it is missing or no map. */
export function readManifest(): Readonly<Record<string, unknown>> {
  const path = places.find((place) => existsSync(place));
  const manifest: unknown = path === undefined ? null : parse(readFileSync(path, "utf8"));
  if (typeof manifest === "object" && manifest !== null && !Array.isArray(manifest)) {
    return manifest as Record<string, unknown>;
  }
  throw new GavelError("manifest-missing", "app.yml, the App's manifest, can not be read.", "Install Gavel again.");
}

/**
 * The manifest that is posted to GitHub: app.yml for the server at `serverUrl`. Probot's own page makes an address at
 * which nothing answers, so the whole address is written out here.
 */
export function makeManifest(serverUrl: URL, redirectUrl: string): Readonly<Record<string, unknown>> {
  const manifest = readManifest();
  return {
    ...manifest,
    url: serverUrl.href,
    redirect_url: redirectUrl,
    hook_attributes: { url: `${serverUrl.href.replace(/\/+$/, "")}${hookPath}`, active: true },
  };
}
