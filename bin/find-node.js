// Plain JavaScript for any Node: finds the Node that can run TypeScript directly.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";

/** The least Node that strips types without a flag and without a warning: 24.12. */
const least = [24, 12];

export function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

/** Path of a Node that is new enough: the one that runs this file, or the one in node_modules; null where there is none. */
export function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  try {
    const name = `node-${process.platform}-${process.arch}`;
    const manifest = createRequire(join(root, "package.json")).resolve(`${name}/package.json`);
    const path = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** Environment in which `node` is that Node for every child too. */
export function environmentWith(node) {
  return { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ""}` };
}

/** Runs a program to its end with our own streams and gives its exit code. Signals are handed on, never swallowed. */
export async function runToEnd(file, args, options) {
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: "inherit", ...options });
    const handOn = (signal) => {
      // Ctrl+C at a terminal reaches the child by itself; a second one would look like impatience.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, handOn);
    const settle = (result) => {
      for (const signal of signals) process.off(signal, handOn);
      result();
    };
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code, signal) => settle(() => resolve(code ?? 128 + constants.signals[signal])));
  });
}
