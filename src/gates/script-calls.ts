import { splitCalls, splitWords } from "./find-program-files.ts";

const runners = new Set(["npm", "pnpm", "yarn", "bun"]);
const wordsOfRunners = new Set([
  "install",
  "ci",
  "exec",
  "x",
  "dlx",
  "add",
  "init",
  "publish",
  "audit",
  "run",
  "run-script",
]);

/** Names of package scripts that a command line runs: `npm test`, `npm run x`, `yarn x`, `node --run x`. */
export function findScriptCalls(command: string): readonly string[] {
  return splitCalls(command).flatMap((part) => {
    const words = splitWords(part);
    const at = words.findIndex((word) => runners.has(word) || word === "node");
    const rest = words.slice(at + 1);
    if (at < 0) return [];
    if (words[at] === "node") {
      const name = rest.includes("--run")
        ? rest[rest.indexOf("--run") + 1]
        : rest.find((word) => word.startsWith("--run="))?.slice(6);
      return name === undefined ? [] : [name];
    }
    const [verb, name] = rest.filter((word) => !word.startsWith("-"));
    if (verb === "run" || verb === "run-script") return name === undefined ? [] : [name];
    if (verb === "t" || verb === "tst") return ["test"];
    return verb === undefined || wordsOfRunners.has(verb) ? [] : [verb];
  });
}
