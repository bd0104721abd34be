import { readFileSync } from "node:fs";
import { globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

/** What each folder of src may import, beside itself and src/errors.ts (the domain: nothing at all). */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  text: ["domain"],
  config: ["domain"],
  store: ["domain", "config", "text"],
  github: ["domain", "config", "text"],
  process: ["domain"],
  workspace: ["process", "domain"],
  gateway: ["process", "domain"],
  gates: ["process", "domain", "workspace", "config"],
  prompts: [],
  engines: ["process", "gateway", "domain", "prompts"],
  judges: ["engines", "domain", "text", "gateway", "config", "prompts"],
  commands: ["domain", "text", "config", "github", "store"],
  webhooks: ["domain", "text", "config", "github", "store", "commands"],
  chain: [
    "domain",
    "text",
    "config",
    "store",
    "github",
    "process",
    "workspace",
    "gateway",
    "gates",
    "engines",
    "judges",
    "prompts",
  ],
  web: ["domain", "text", "config", "store", "github"],
};

/** Files beside the folders. Only these four places may import chain. */
const roots = ["index", "main", "deps", "cli"];

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import, export … from and import() of a source, types too: a type is a dependency as well. */
export function importsOf(source: string, name: string): readonly string[] {
  const { module, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const fixed = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.flatMap((item) => item.moduleRequest?.value ?? [])),
  ];
  const dynamic = module.dynamicImports.map((entry) =>
    source.slice(entry.moduleRequest.start, entry.moduleRequest.end).replaceAll(/^["'`]|["'`]$/g, ""),
  );
  return [...fixed, ...dynamic, ...[...source.matchAll(/import\("([^"]+)"\)\./g)].map((match) => match[1] ?? "")];
}

function readImports(): readonly Import[] {
  return globSync("src/**/*.ts").flatMap((file) =>
    importsOf(readFileSync(file, "utf8"), file)
      .filter((name) => name.startsWith("."))
      .map((name) => ({ from: relative("src", file), to: relative("src", join(dirname(file), name)) })),
  );
}

function layerOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : path.replace(/\.ts$/, "");
}

/** What is wrong with an import, or null. */
export function judgeImport({ from, to }: Import): string | null {
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a === b || roots.includes(a)) return null;
  if (b === "errors" && a !== "domain") return null;
  if (a === "log" || a === "env" || a === "errors")
    return b === "config" || b === "domain" ? null : `${from} imports ${to}`;
  if (b === "log" || b === "env") return a === "domain" ? `${from} imports ${to}` : null;
  const allowed = mayImport[a];
  if (allowed === undefined) return `${from}: the folder "${a}" has no row in the import rule`;
  return allowed.includes(b) ? null : `${from} imports ${to}: ${a} may import ${allowed.join(", ") || "nothing"}`;
}

describe("the import rule", () => {
  const imports = readImports();

  it("sees the imports there are", () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(imports).toContainEqual({ from: "domain/event.ts", to: "domain/step.ts" });
    expect(
      importsOf('import type { A } from "./a.ts"; export * from "./b.ts"; await import("./c.ts");', "x.ts"),
    ).toEqual(["./a.ts", "./b.ts", "./c.ts"]);
  });

  it.each([
    ["domain/event.ts", "text/fence.ts"],
    ["domain/event.ts", "errors.ts"],
    ["webhooks/door.ts", "chain/workflow.ts"],
    ["webhooks/door.ts", "engines/engine.ts"],
    ["commands/judge.ts", "chain/workflow.ts"],
    ["process/spawn.ts", "store/record.ts"],
    ["github/comment.ts", "store/record.ts"],
    ["nowhere/file.ts", "domain/event.ts"],
  ])("refuses %s importing %s", (from, to) => {
    expect(judgeImport({ from, to })).not.toBeNull();
  });

  it("holds in every file of src", () => {
    expect(imports.map(judgeImport).filter((problem) => problem !== null)).toEqual([]);
  });

  it("keeps the domain free of packages and of node", () => {
    const foreign = globSync("src/domain/**/*.ts").flatMap((file) =>
      importsOf(readFileSync(file, "utf8"), file)
        .filter((name) => !name.startsWith("."))
        .map((name) => `${file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });
});
