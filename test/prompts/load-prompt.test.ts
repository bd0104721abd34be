import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readArtifact } from "../../src/domain/read-artifact.ts";
import { loadPrompt, promptFolder } from "../../src/prompts/load-prompt.ts";
import type { Placeholder } from "../../src/prompts/placeholders.ts";
import { partials, placeholders } from "../../src/prompts/placeholders.ts";

const names = readdirSync(promptFolder)
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.slice(0, -".md".length));

const textOf = (name: string) => readFileSync(`${promptFolder}/${name}.md`, "utf8");

describe("every prompt", () => {
  it("is found", () => {
    expect(names).toEqual(
      expect.arrayContaining(["artifact", "fix-gates", "implementer-system", "resume", "revise", "write"]),
    );
  });

  it.each(names)("%s holds only placeholders that are known, and shows none of them bare", (name) => {
    expect(loadPrompt(name, {})).not.toContain("${");
    expect(loadPrompt(name, {})).not.toMatch(/\n{4}/);
  });

  it.each(placeholders)("has a place for %s somewhere", (placeholder) => {
    expect(names.some((name) => textOf(name).includes(`\${${placeholder}}`))).toBe(true);
  });

  it("that asks for work says how the reply must end", () => {
    for (const name of ["write", "revise", "fix-gates", "resume"])
      expect(loadPrompt(name, {})).toContain(textOf("artifact").trim());
    // The example itself must be what is read.
    expect(readArtifact(textOf("artifact").split("\n\n`edge_cases`")[0] ?? "")).toMatchObject({ kind: "given" });
    expect(Object.values(partials).every((name) => names.includes(name))).toBe(true);
  });
});

describe("loadPrompt", () => {
  it("fills values in as they are: neither patterns nor placeholders in them mean anything", () => {
    const value = "$& $1 ${BASE} $$ ${INSTRUCTIONS}\n\n\n\nend";
    const prompt = loadPrompt("write", { BRIEF: value, BASE: "on main" });
    expect(prompt).toContain(`\n\n${value}\n\non main\n\n`);
  });

  it("lets the line of a missing value go", () => {
    expect(loadPrompt("fix-gates", { FAILURES: "x" })).toMatch(/^These verification checks failed/);
  });

  it("refuses a value that has no place, and a prompt that is not there", () => {
    expect(() => loadPrompt("write", { FAILURES: "x" })).toThrow('it has no place for the value "FAILURES"');
    expect(() => loadPrompt("write", { NOBODY: "x" } as Partial<Record<Placeholder, string>>)).toThrow("no place");
    expect(() => loadPrompt("none", {})).toThrow("there is no file");
  });
});
