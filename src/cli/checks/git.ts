import { runProcess } from "../../process/run-process.ts";
import { bad, type Check, good } from "./finding.ts";

/** The least git that our tests run with. */
const least = [2, 39] as const;
const secondsMax = 10;
const bytesMax = 10_000;
const cure = `Install git ${least.join(".")} or newer and put it on the search path.`;

export const checkGit: Check = async (env) => {
  const result = await runProcess({
    file: "git",
    args: ["--version"],
    cwd: "/",
    env: { PATH: env["PATH"] ?? "" },
    stdin: null,
    timeoutSeconds: secondsMax,
    outputBytesMax: bytesMax,
  });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(result.stdout.text) ?? [];
  if (result.exitCode !== 0 || major === undefined) {
    const why = result.reason || result.stderr.text.trim() || `it ended with exit code ${result.exitCode}`;
    return [bad("git", { code: "git-missing", message: `git can not be run: ${why}.`, cure })];
  }
  const isOld = Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]);
  if (isOld) return [bad("git", { code: "git-too-old", message: `This is ${result.stdout.text.trim()}.`, cure })];
  return [good("git", result.stdout.text.trim())];
};
