import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

/**
 * `node scripts/build.ts [FOLDER]`: the bundle that the image holds: the server, the command line, what runs inside the
 * sandbox, and beside them the texts they read. Bundled, a cold start takes half the time: loading modules dominates.
 * The folder is made anew; one that holds something else is refused.
 */
const target = process.argv[2] ?? "dist";
const mark = join(target, ".gavel-bundle");

if (existsSync(target) && !existsSync(mark))
  throw new Error(`${target} exists and is no bundle of ours: name another folder.`);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
writeFileSync(mark, "");

const common: BuildOptions = {
  outdir: target,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  // A name that says what it is: neither the image nor the sandbox has a package.json beside the files.
  outExtension: { ".js": ".mjs" },
  sourcemap: "linked",
  legalComments: "linked",
  // CommonJS packages inside an ES module call require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  // Optional parts of libraries, loaded only where somebody turns them on; we do not.
  external: ["pg-native", "winston", "winston-transport", "@opentelemetry/*"],
  logLevel: "warning",
};
await build({
  ...common,
  entryPoints: { main: "src/main.ts", cli: "src/cli/main.ts" },
  // The code that both need once, in files beside them: modules look for their texts beside themselves.
  splitting: true,
  chunkNames: "[name]-[hash]",
});
// One file without any other: it is all of us that is shown inside the sandbox.
await build({ ...common, entryPoints: { "tool-server": "src/engines/builtin/tool-server.ts" }, sourcemap: false });

cpSync("src/prompts", join(target, "prompts"), { recursive: true, filter: (path) => !path.endsWith(".ts") });
cpSync("src/judges/rubrics", join(target, "rubrics"), { recursive: true });
cpSync("src/store/migrations", join(target, "migrations"), { recursive: true });
for (const file of ["app.yml", "LICENSE"]) writeFileSync(join(target, file), readFileSync(file));
