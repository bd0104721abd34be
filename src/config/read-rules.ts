import type { Problem } from "../domain/event.ts";
import type { Rules } from "./rules.ts";

/** A repository's rules, and what was wrong with its configuration: with problems, the rules are the defaults. */
export interface ConfigReading {
  readonly rules: Rules;
  readonly version: string;
  readonly problems: readonly Problem[];
}
