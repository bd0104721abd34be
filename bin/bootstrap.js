// `node bin/bootstrap.js [--node-option …] PROGRAM …`: makes a fresh clone ready, then runs a TypeScript file or a program
// of node_modules. Plain JavaScript, no dependency: it has to work before anything is installed, under any Node.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith, findNode, runToEnd } from "./find-node.js";
import { installWhenNeeded } from "./install.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const at = given.findIndex((word) => !word.startsWith("--"));
const options = given.slice(0, Math.max(at, 0));
const [program, ...args] = given.slice(Math.max(at, 0));

if (program === undefined || at === -1)
  fail("Usage: node bin/bootstrap.js PROGRAM …", "PROGRAM is a .ts file or a package.");
const problem = await installWhenNeeded(root);
if (problem !== null) fail(problem.message, problem.cure);
const node = findNode(root);
if (node === null) {
  fail(
    `No Node 24.12 or newer: this is ${process.version}, and there is no packaged Node for ${process.platform} on ${process.arch}.`,
    "Install Node 24 from https://nodejs.org and run the command again.",
  );
}
const entry = program.endsWith(".ts") ? join(root, program) : programOf(program);
if (!existsSync(entry)) fail(`There is no ${program} in ${root}.`, "Check the name, or get the whole project again.");
process.exitCode = await runToEnd(node, [...options, entry, ...args], { cwd: root, env: environmentWith(node) });

/** A program's JavaScript file, by the `bin` of its package: links in .bin may be shell scripts elsewhere. */
function programOf(name) {
  const path = join(root, "node_modules", name, "package.json");
  if (!existsSync(path))
    fail(`The package ${name} is not installed.`, "Check the name; it must stand in package.json.");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const file = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[name];
  return join(root, "node_modules", name, file);
}

function fail(what, cure) {
  console.error(`${what}\n${cure}`);
  process.exit(1);
}
