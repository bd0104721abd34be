#!/usr/bin/env node
// The command line's entry: runs under any Node, and starts src/cli/main.ts (or its bundle) with one that is new enough.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith, findNode, runToEnd } from "./find-node.js";
import { installWhenNeeded } from "./install.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "src", "cli", "main.ts");
const isCheckout = existsSync(source);

// A bundle needs no packages; in a fresh clone, a command is the first thing that asks for them.
if (isCheckout && !existsSync(join(root, "node_modules", "commander"))) {
  const problem = await installWhenNeeded(root);
  if (problem !== null) fail(`${problem.message}\n${problem.cure}`);
}
const node = findNode(root);
if (node === null) {
  fail(
    `gavel needs Node 24.12 or newer; this is ${process.version}, and there is no packaged one for this machine.\n` +
      "Install it from https://nodejs.org.",
  );
}
const entry = isCheckout ? source : join(root, "dist", "cli.mjs");
process.exitCode = await runToEnd(node, [entry, ...process.argv.slice(2)], { env: environmentWith(node) });

function fail(message) {
  console.error(message);
  process.exit(1);
}
