// Installs the packages of package-lock.json, once for each content of it, by one process at a time.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./find-node.js";
import { takeLock } from "./install-lock.js";

/** Longest wait for another process that installs, in minutes. */
const waitMinutesMax = 10;

/** Makes node_modules what package-lock.json says. Gives null, or what is wrong and its cure. */
export async function installWhenNeeded(root) {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const mark = join(root, "node_modules", ".gavel-installed");
  const isDone = () => existsSync(mark) && readFileSync(mark, "utf8") === wanted;
  if (isDone()) return null;

  const folder = join(root, ".cache");
  let lock;
  try {
    mkdirSync(folder, { recursive: true });
    lock = await takeLock(join(folder, "install"), waitMinutesMax * 60, () =>
      console.error(`Another process installs the packages; waiting for it (at most ${waitMinutesMax} minutes) …`),
    );
  } catch (error) {
    return {
      message: `The packages have to be installed, but ${root} can not be written: ${error.message}`,
      cure: "Run it as the user who owns the folder, or make a clone of your own.",
    };
  }
  if (lock === null) {
    return {
      message: `Another process has been installing the packages for more than ${waitMinutesMax} minutes.`,
      cure: `Look whether an npm hangs. If none runs, remove ${folder} and run the command again.`,
    };
  }
  try {
    return isDone() ? null : await install(root, mark, wanted);
  } finally {
    lock.release();
  }
}

/** The mark is written last, so that an install that was cut off is done again. */
async function install(root, mark, wanted) {
  console.error("Installing the packages of package-lock.json into node_modules (npm ci); once, about half a minute …");
  const npm = process.env.npm_execpath;
  const command = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-fund",
    "--no-audit",
    "--loglevel=error",
  ];
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  let code;
  try {
    code = npm?.endsWith(".js")
      ? await runToEnd(process.execPath, [npm, ...command], options)
      : await runToEnd("npm", command, options);
  } catch (error) {
    return {
      message: `npm could not be started: ${error.message}`,
      cure: "Install npm (it comes with Node) and run the command again.",
    };
  }
  if (code !== 0) {
    return {
      message: `npm ci ended with exit code ${code}.`,
      cure: "Read npm's message above; nothing of the project was run.",
    };
  }
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(mark, wanted);
  return null;
}
