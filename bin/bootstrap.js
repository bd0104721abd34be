// `node bin/bootstrap.js PROGRAM …`: makes a fresh clone ready, then runs a TypeScript file or a program of node_modules/.bin.
// Plain JavaScript, no dependency: it has to work before anything is installed, under whatever Node the machine has.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith, findNode, runToEnd } from "./find-node.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [program, ...args] = process.argv.slice(2);

await installWhenNeeded();
const node = findNode(root);
if (node === null) {
  fail(
    `No Node 24.12 or newer: this is ${process.version}, and there is no packaged Node for ${process.platform} on ${process.arch}.`,
    "Install Node 24 from https://nodejs.org and run the command again.",
  );
}
const entry = program.endsWith(".ts") ? join(root, program) : programOf(program);
process.exitCode = await runToEnd(node, [entry, ...args], { cwd: root, env: environmentWith(node) });

/** Installs exactly what the lock file names, once for each content of it. The mark is written last, so a cut-off install is done again. */
async function installWhenNeeded() {
  const wanted = createHash("sha256").update(readFileSync(join(root, "package-lock.json"))).digest("hex");
  const mark = join(root, "node_modules", ".gavel-installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.error("Installing the packages of package-lock.json into node_modules (npm ci); once, about half a minute …");
  const npm = process.env.npm_execpath;
  const command = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
  const code = npm?.endsWith(".js")
    ? await runToEnd(process.execPath, [npm, ...command], { cwd: root, stdio: ["ignore", 2, 2] })
    : await runToEnd("npm", command, { cwd: root, stdio: ["ignore", 2, 2] });
  if (code !== 0) fail(`npm ci ended with exit code ${code}.`, "Read npm's message above; nothing of the project was run.");
  writeFileSync(mark, wanted);
}

/** A program's JavaScript file, by the `bin` of its package: links in .bin may be shell scripts elsewhere. */
function programOf(name) {
  const manifest = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  const file = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[name];
  return join(root, "node_modules", name, file);
}

function fail(what, cure) {
  console.error(`${what}\n${cure}`);
  process.exit(1);
}
