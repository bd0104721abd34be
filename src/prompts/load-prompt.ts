import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GavelError } from "../errors.ts";
import type { Placeholder } from "./placeholders.ts";
import { partials, placeholders } from "./placeholders.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** Where the prompts lie: beside this module, or in `prompts/` beside the bundle that this module is part of. */
export const promptFolder = existsSync(join(here, "prompts")) ? join(here, "prompts") : here;

const anyPlaceholder = /\$\{([^}]*)\}/g;

/**
 * A prompt with its placeholders filled in. Untrusted values come fenced from the caller. A missing value is the empty
 * string, and a line that holds nothing else goes with it. Throws a GavelError for a placeholder that nobody knows and for
 * a value that the prompt has no place for.
 */
export function loadPrompt(name: string, values: Readonly<Partial<Record<Placeholder, string>>>): string {
  const template = readTemplate(name);
  const used = new Set([...template.matchAll(anyPlaceholder)].map((match) => match[1] ?? ""));
  const known = new Set<string>(placeholders);
  for (const placeholder of used)
    if (!known.has(placeholder)) throw fault(name, `nobody knows the placeholder "${placeholder}"`);
  for (const value of Object.keys(values))
    if (!used.has(value)) throw fault(name, `it has no place for the value "${value}"`);

  const valueOf = (placeholder: string): string => values[placeholder as Placeholder] ?? "";
  return template
    .replaceAll(/^\$\{([^}]*)\}\n\n?/gm, (line, placeholder: string) => (valueOf(placeholder) === "" ? "" : line))
    .replaceAll(anyPlaceholder, (_, placeholder: string) => valueOf(placeholder))
    .trimEnd()
    .concat("\n");
}

function readTemplate(name: string): string {
  const path = join(promptFolder, `${name}.md`);
  if (!existsSync(path)) throw fault(name, `there is no file ${path}`);
  return readFileSync(path, "utf8").replaceAll(anyPlaceholder, (placeholder, key: string) =>
    Object.hasOwn(partials, key) ? readTemplate(partials[key] ?? "").trimEnd() : placeholder,
  );
}

function fault(name: string, what: string): GavelError {
  return new GavelError("prompt-unusable", `The prompt "${name}" can not be used: ${what}.`, "Mend the prompt's file.");
}
