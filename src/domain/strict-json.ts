/** Parsed JSON, or what is wrong with it, in words a model can act on. */
export type StrictJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly complaint: string };

/** Parses JSON and refuses doubled keys, of which `JSON.parse` silently takes the last. */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "invalid", complaint: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const doubled = findDoubledKey(text);
  return doubled === null
    ? { kind: "value", value }
    : { kind: "invalid", complaint: `the key ${doubled} is there twice` };
}

/** Walks the tokens of valid JSON. A string is a key when a colon follows it. */
function findDoubledKey(json: string): string | null {
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return last;
      keys?.add(key);
    }
    last = token;
  }
  return null;
}
