import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseOperatorFile } from "../src/config/operator-file.ts";
import { configurationPage } from "../scripts/configuration-page.ts";
import { root } from "./cli/run-cli.ts";

it("keeps docs/configuration.md as the schema and the defaults say (node scripts/write-configuration.ts)", () => {
  const page = configurationPage();
  expect(readFileSync(join(root, "docs", "configuration.md"), "utf8")).toBe(page);
  expect(page).toContain("| `judges.0.rubrics` |");
});

it("names every setting of the server in docs/operations.md", () => {
  const names = [...readFileSync(join(root, "src", "env.ts"), "utf8").matchAll(/get\("([A-Z_]+)"\)/g)].map(
    ([, name]) => name ?? "",
  );
  expect(names.length).toBeGreaterThan(10);
  const page = readFileSync(join(root, "docs", "operations.md"), "utf8");
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it("shows the server's settings file with its defaults", () => {
  const page = readFileSync(join(root, "docs", "operations.md"), "utf8");
  const example = /```yaml\n([^`]+)```/.exec(page)?.[1] ?? "";
  expect(example).not.toBe("");
  expect(parseOperatorFile("example", example)).toEqual(parseOperatorFile("nothing", ""));
});
