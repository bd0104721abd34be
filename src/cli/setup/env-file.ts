import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { GavelError } from "../../errors.ts";

/**
 * Adds settings to a file in the form that Node reads (`--env-file`). What the file holds already stays as it is, and a
 * value is never replaced by another. The file is whole at any moment, and only its owner can read it.
 * Throws a GavelError where a name has another value already.
 */
export function addToEnvFile(path: string, values: Readonly<Record<string, string>>): void {
  const present = readEnvFile(path);
  const taken = Object.keys(values).filter((name) => isSet(present[name]) && present[name] !== values[name]);
  if (taken.length > 0) throw refuse(path, taken);
  const target = existsSync(path) ? realpathSync(path) : path;
  const before = existsSync(target) ? readFileSync(target, "utf8") : "";
  const lines = Object.entries(values)
    .filter(([name, value]) => present[name] !== value)
    .map(([name, value]) => `${name}=${quote(value)}\n`);
  const draft = `${target}.${randomUUID()}`;
  try {
    writeFileSync(draft, before + (before === "" || before.endsWith("\n") ? "" : "\n") + lines.join(""), {
      mode: 0o600,
    });
    chmodSync(draft, 0o600);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Throws a GavelError where the file holds one of the names already: whoever asks wants to know before an App is made. */
export function refuseTaken(path: string, names: readonly string[]): void {
  const present = readEnvFile(path);
  const taken = names.filter((name) => isSet(present[name]));
  if (taken.length > 0) throw refuse(path, taken);
}

function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/** One line, whatever the value: Node turns `\n` in double quotes into a line's end again. */
function quote(value: string): string {
  return /^[\w.:/-]*$/.test(value) ? value : `"${value.trimEnd().replaceAll("\n", String.raw`\n`)}"`;
}

function refuse(path: string, names: readonly string[]): GavelError {
  return new GavelError(
    "setup-would-overwrite",
    `${path} sets ${names.join(", ")} already, and nothing is overwritten.`,
    "Name another file with --env, or remove these lines if the App they belong to is not used any more.",
  );
}
