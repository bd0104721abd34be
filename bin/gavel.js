#!/usr/bin/env node
// The command line's entry: runs under any Node, and starts src/cli/main.ts (or its bundle) with one that is new enough.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith, findNode, runToEnd } from "./find-node.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = findNode(root);
if (node === null) {
  console.error(
    `gavel needs Node 24.12 or newer; this is ${process.version} and node_modules holds none.\n` +
      "Install it from https://nodejs.org, or run `npm ci` in the project's folder, which brings one.",
  );
  process.exit(1);
}
const source = join(root, "src", "cli", "main.ts");
const entry = existsSync(source) ? source : join(root, "dist", "cli.js");
process.exitCode = await runToEnd(node, [entry, ...process.argv.slice(2)], { env: environmentWith(node) });
