/** Parts of a package.json that decide what a gate does. Dependencies, exports and the rest are the change's own. */
const definingKeys = [
  "scripts",
  "jest",
  "mocha",
  "ava",
  "vitest",
  "tap",
  "nyc",
  "c8",
  "babel",
  "eslintConfig",
  "eslintIgnore",
  "prettier",
  "stylelint",
  "xo",
  "standard",
  "lint-staged",
  "wireit",
  "nx",
  "config",
] as const;

type Json = Record<string, unknown>;

/** A manifest's content, or null where it is absent or no JSON object. */
export function parseManifest(bytes: Uint8Array | null): Json | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** The candidate's manifest as text, with the base's defining parts; `same` where those are alike. */
export function withBaseDefinition(candidate: Json, base: Json): string {
  const merged: Json = { ...candidate };
  for (const key of definingKeys) {
    if (base[key] === undefined) delete merged[key];
    else merged[key] = base[key];
  }
  const same = definingKeys.every((key) => JSON.stringify(candidate[key]) === JSON.stringify(base[key]));
  return same ? "same" : `${JSON.stringify(merged, null, 2)}\n`;
}

/** One script's text, with what runs before and after it. */
export function scriptText(manifest: Json | null, name: string): string {
  const scripts = manifest?.["scripts"];
  if (typeof scripts !== "object" || scripts === null) return "";
  const texts = [`pre${name}`, name, `post${name}`].map((key) => (scripts as Json)[key]);
  return texts.filter((text) => typeof text === "string").join("\n");
}
