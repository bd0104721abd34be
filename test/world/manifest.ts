import { randomBytes } from "node:crypto";
import type { Core, Level } from "./core.ts";

/** Codes that stand for an App which was just made from a manifest; each is good once. */
export interface ManifestCodes {
  /** The name of the App that the code was given for; null: no such code. */
  take(code: string): string | null;
  /** Takes the form that a set-up page posts, and says where to send the person. */
  accept(form: URLSearchParams, state: string | null): { readonly location: string } | { readonly problem: string };
}

interface Manifest {
  readonly name?: string;
  readonly redirect_url?: string;
  readonly hook_attributes?: { readonly url?: string };
  readonly default_permissions?: Readonly<Record<string, Level>>;
  readonly default_events?: readonly string[];
}

/** The world has one App: a manifest gives it its permissions, events and webhook address. */
export function openManifestCodes(core: Core): ManifestCodes {
  const names = new Map<string, string>();
  return {
    take(code) {
      const name = names.get(code) ?? null;
      names.delete(code);
      return name;
    },
    accept(form, state) {
      const manifest = readManifest(form.get("manifest"));
      if (manifest?.redirect_url === undefined) return { problem: "the manifest has no redirect_url" };
      if (manifest.hook_attributes?.url === undefined) return { problem: "the manifest has no hook_attributes.url" };
      core.app.permissions = { metadata: "read", ...manifest.default_permissions };
      core.app.events = manifest.default_events ?? [];
      core.hooks.setTarget(manifest.hook_attributes.url);
      const code = randomBytes(20).toString("hex");
      names.set(code, manifest.name ?? core.app.slug);
      const back = new URL(manifest.redirect_url);
      back.searchParams.set("code", code);
      if (state !== null) back.searchParams.set("state", state);
      return { location: back.href };
    },
  };
}

function readManifest(text: string | null): Manifest | null {
  try {
    return JSON.parse(text ?? "") as Manifest;
  } catch {
    return null;
  }
}
