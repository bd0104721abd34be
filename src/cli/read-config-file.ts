import { readFileSync } from "node:fs";
import { type ParsedConfig, parseConfig } from "../config/parse-config.ts";
import { GavelError } from "../errors.ts";

/** Reads one configuration file as it would be read from a repository. Throws a GavelError where there is none to read. */
export function readConfigFile(path: string): ParsedConfig {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new GavelError(
      "config-unreadable",
      code === "ENOENT" ? `There is no file ${path}.` : `${path} can not be read: ${message}.`,
      "Name the configuration's file, for example .github/gavel.yml.",
      { cause: error },
    );
  }
  return parseConfig([{ name: path, text }]);
}
