import { type Operation, parametersOf, slice } from "./slice.ts";

/** An operation of GitHub's description. */
export interface Route {
  readonly method: string;
  readonly template: string;
  /** `METHOD /template` */
  readonly key: string;
  readonly operation: Operation;
}

interface Matcher extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Parameters that hold slashes though the description does not mark them. */
const longNames = new Set(["path", "ref", "branch", "basehead"]);

const matchers: readonly Matcher[] = Object.entries(slice.paths)
  .flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => compile(method.toUpperCase(), template, operation)),
  )
  // The more of a template is literal, the earlier it is tried: `…/{branch}/protection` before `…/{branch}`.
  .toSorted((a, b) => literalLength(b.template) - literalLength(a.template));

function compile(method: string, template: string, operation: Operation): Matcher {
  const long = new Set(
    parametersOf(operation).flatMap((item) => (item["x-multi-segment"] === true ? [item.name] : [])),
  );
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const pattern = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    long.has(name) || longNames.has(name) ? "(.+)" : "([^/]+)",
  );
  return { method, template, key: `${method} ${template}`, operation, names, pattern: new RegExp(`^${pattern}$`) };
}

function literalLength(template: string): number {
  return template.replaceAll(/\{\w+\}/g, "").length;
}

/** The route of a request and the values in its path; null outside of the description. */
export function matchRoute(
  method: string,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | null {
  for (const route of matchers) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const params = route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]);
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  }
  return null;
}
