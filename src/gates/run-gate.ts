import type { GateRule } from "../config/rules.ts";
import type { GateResult, GateState } from "../domain/gate-result.ts";
import type { Mount, Sandbox } from "../process/sandbox.ts";
import type { ProcessResult } from "../process/spawn.ts";
import { cleanOutput, trimOutput } from "./clean-output.ts";
import { findNothingRan, nothingCollectedExitCode } from "./reporters.ts";

/** Where a gate runs. */
export interface GatePlace {
  /** A fresh checkout of the candidate tree. */
  readonly treePath: string;
  readonly sandbox: Sandbox;
  readonly mounts: readonly Mount[];
  readonly signal: AbortSignal;
}

/** What one run of a gate establishes by itself. */
export type GateRun = Omit<GateResult, "flaky" | "selfChanged" | "knownRed">;

/** Read of a gate's output before it is trimmed: enough to find a reporter's summary in. */
const outputBytesMax = 512 * 1024;

/** The shell's own pipe status is the gate's: `test | tee log` is red when the test is. Errors stay where they occurred. */
const shell = ["bash", "-c", 'exec bash -o pipefail -c "$0" 2>&1'];

/**
 * Runners watch, colour and ask where they believe that a person sits there. Package managers try an unreachable network
 * for a minute where nobody tells them that there is none.
 */
const gateEnvironment = {
  CI: "true",
  NO_COLOR: "1",
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
};

/**
 * Runs a gate's command once, in the sandbox, and says what its exit code means. Rejects only when `signal` aborted:
 * a gate that was cut off by us is no fact.
 */
export async function runGate(
  rule: Pick<GateRule, "name" | "command" | "timeoutMinutes" | "workingDirectory" | "env">,
  place: GatePlace,
): Promise<GateRun> {
  const result = await place.sandbox.run({
    profile: "gate",
    workspace: place.treePath,
    mounts: place.mounts,
    argv: [...shell, rule.command],
    workingDirectory: rule.workingDirectory,
    env: { ...gateEnvironment, ...rule.env },
    stdin: null,
    timeoutSeconds: rule.timeoutMinutes * 60,
    outputBytesMax,
    signal: place.signal,
  });
  place.signal.throwIfAborted();
  const output = cleanOutput([result.stdout.text, result.stderr.text].filter((text) => text !== "").join("\n"));
  return {
    name: rule.name,
    command: rule.command,
    ...readResult(result, output),
    exitCode: result.exitCode,
    seconds: result.seconds,
    output: trimOutput(output),
  };
}

interface Reading {
  readonly state: GateState;
  readonly reason: string;
}

/** What the end of a gate's process means. Pure. */
export function readResult(
  { end, exitCode, reason }: Pick<ProcessResult, "end" | "exitCode" | "reason">,
  output: string,
): Reading {
  if (end !== "exited" || exitCode === null) return { state: "broken", reason };
  if (exitCode === 0) return readSuccess(output);
  if (exitCode === nothingCollectedExitCode && findNothingRan(output) !== null) {
    return { state: "unverified", reason: "it ran no test" };
  }
  const missing = exitCode === 127 || exitCode === 126 ? findRefused(output) : null;
  if (missing !== null) {
    const what = exitCode === 127 ? "is not installed" : "can not be run: permission denied";
    return { state: "broken", reason: `${missing} ${what}` };
  }
  const signal = killedBy[exitCode];
  if (signal !== undefined) return { state: "broken", reason: `it was killed (${signal})` };
  return { state: "failed", reason: `exit code ${exitCode}` };
}

function readSuccess(output: string): Reading {
  const reporter = findNothingRan(output);
  if (reporter === null) return { state: "passed", reason: "exit code 0" };
  return { state: "unverified", reason: `exit code 0, but it ran no test (${reporter})` };
}

/** A shell's own words for a program that it could not run; asked only after its own exit code for that. */
const refused = [
  /^(?:bash|sh|\/bin\/(?:ba)?sh): line \d+: (.+): (?:command not found|No such file or directory|Permission denied)$/m,
  /^(?:sh|dash|\/bin\/sh): \d+: (.+): (?:not found|Permission denied)$/m,
  /^env: [‘']?(.+?)[’']?: (?:No such file or directory|Permission denied)$/m,
];

function findRefused(output: string): string | null {
  for (const pattern of refused) {
    const found = pattern.exec(output)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** A shell's exit codes for a signal that comes from outside a program: the memory's end, a limit, a person. */
const killedBy: Readonly<Record<number, string>> = {
  137: "SIGKILL",
  143: "SIGTERM",
  152: "SIGXCPU",
  153: "SIGXFSZ",
};
