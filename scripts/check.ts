import { spawnSync } from "node:child_process";

/** Everything that CI runs, in the order in which it fails fastest. `--static` leaves the tests out. */
const checks: readonly (readonly [string, ...string[]])[] = [
  ["oxfmt", "--check"],
  ["oxlint"],
  ["tsc", "-p", "."],
  ["knip"],
  ...(process.argv.includes("--static") ? [] : [["vitest", "run"] as const]),
];

const failed: string[] = [];
for (const [program, ...args] of checks) {
  const command = [program, ...args].join(" ");
  console.log(`\n▶ ${command}`);
  const { status } = spawnSync(program, args, { stdio: "inherit" });
  if (status !== 0) failed.push(command);
}
console.log(failed.length === 0 ? "\nEverything is in order." : `\nNot in order: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
