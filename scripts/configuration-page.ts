import { listValues } from "../src/cli/list-values.ts";
import { parseConfig } from "../src/config/parse-config.ts";
import { writeJsonSchema } from "../src/config/json-schema.ts";

/** What is looked at in the JSON schema of `.github/gavel.yml`. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

const head = `# Configuration of a repository

<!-- Made by scripts/write-configuration.ts from the schema and the defaults; changes here are lost. -->

\`.github/gavel.yml\` on the default branch, over the same file of the owner's \`.github\` repository, over the defaults below:
maps merge by key, lists replace. No file at all is a valid configuration. A key that is not listed here is an error. What a
pull request changes in the file counts only when it is merged. An editor completes the file with
\`# yaml-language-server: $schema=…/src/config/schema.json\` in its first line.

\`gavel config check FILE\` says everything that is wrong, with line and column; \`gavel config show FILE\` prints every value
with its source. The settings of the one who runs the server are in [operations.md](operations.md).

| key | value | default | |
|---|---|---|---|
`;

/** The text of docs/configuration.md. */
export function configurationPage(): string {
  const schema = JSON.parse(writeJsonSchema()) as Node;
  const defaults = readDefaults();
  return `${head}${rowsOf(schema, [], defaults).join("\n")}\n`;
}

function rowsOf(node: Node, path: readonly string[], defaults: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const at = [...path, key];
    if (child.properties !== undefined) return rowsOf(child, at, defaults);
    const isListOfMaps = child.items?.properties !== undefined;
    const needed = node.required?.includes(key) === true;
    const value = needed ? "must be given" : code(defaults.get(at.join(".")) ?? "");
    const row = `| ${code(at.join("."))} | ${valueWords(child)} | ${isListOfMaps && !needed ? "" : value} | ${child.description ?? ""} |`;
    const inside = [...path, `${key}.0`];
    return isListOfMaps && child.items !== undefined ? [row, ...rowsOf(child.items, inside, defaults)] : [row];
  });
}

/** Every default as it would be written, also those inside a gate and a judge, by its path. */
function readDefaults(): ReadonlyMap<string, string> {
  const texts = ["", "gates: { run: [{ name: a, command: b }] }\njudges: [{ name: c, rubrics: [tests] }]\n"];
  const values = texts.toReversed().flatMap((text) => {
    const read = parseConfig([{ name: "defaults", text }]);
    if (read.kind === "invalid") throw new Error(JSON.stringify(read.problems));
    return listValues(read.rules, read.sources);
  });
  const inItems = values.filter(({ path }) => path.startsWith("judges.") || path.startsWith("gates.run."));
  const outside = values.filter((value) => !inItems.includes(value) && value.path !== "gates.run");
  const first = inItems.filter(({ path }, index) => inItems.findIndex((one) => one.path === path) === index);
  const written = [...outside, ...first].map(
    ({ path, value }) => [path, value === null ? "" : JSON.stringify(value)] as const,
  );
  // The one key that the rules do not keep.
  return new Map([["version", "1"], ...written]);
}

function valueWords(node: Node): string {
  if (node.const !== undefined) return code(JSON.stringify(node.const));
  if (node.enum !== undefined) return node.enum.map((one) => code(String(one))).join(", ");
  if (node.anyOf !== undefined) return node.anyOf.map(valueWords).join(" or ");
  if (node.items !== undefined) {
    const most = node.maxItems === undefined ? "" : `at most ${node.maxItems} `;
    return node.items.properties === undefined ? `list of ${most}× ${valueWords(node.items)}` : `list of ${most}maps`;
  }
  if (node.type === "integer" || node.type === "number") {
    const least = node.exclusiveMinimum === undefined ? `${node.minimum}` : `more than ${node.exclusiveMinimum}`;
    return `${node.type === "integer" ? "whole number" : "number"}, ${least} to ${node.maximum}`;
  }
  if (node.type === "boolean") return "true or false";
  if (node.type === "object") return "map of names to values";
  return node.maxLength === undefined ? "text" : `text of at most ${node.maxLength} characters`;
}

function code(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``;
}
