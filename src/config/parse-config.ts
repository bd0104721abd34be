import { z } from "zod";
import { checkRules } from "./check-rules.ts";
import type { ConfigProblem, Place } from "./config-problem.ts";
import { explainIssues, type SchemaNode } from "./explain-issue.ts";
import { mergeWritten } from "./merge-written.ts";
import { normalize, normalizeTrigger } from "./normalize.ts";
import { readYaml, type YamlFile } from "./read-yaml.ts";
import type { Rules } from "./rules.ts";
import { writtenConfig, writtenTrigger } from "./written.ts";

/** One configuration file. */
export interface ConfigSource {
  /** For messages: `octo-org/app/.github/gavel.yml`. */
  readonly name: string;
  readonly text: string;
}

export type ParsedConfig =
  | {
      readonly kind: "ok";
      readonly rules: Rules;
      /** Where each value was written, by its dotted path; what is not in here is a default. */
      readonly sources: ReadonlyMap<string, Place>;
    }
  | {
      readonly kind: "invalid";
      /** All of them at once, in the files' order. */
      readonly problems: readonly ConfigProblem[];
      /**
       * The part that decides who may ask for work and how, as far as it can be read (its defaults otherwise): a person
       * who asks must hear of the problems, and only such a person.
       */
      readonly trigger: Rules["trigger"];
    };

const problemsMax = 100;

const schema = z.toJSONSchema(writtenConfig, { io: "input" }) as SchemaNode;

/**
 * Reads the configuration files, the owner's first and the repository's over it: maps merge by key, lists replace. No
 * file at all is valid. Tells everything that is wrong at once, and never throws.
 */
export function parseConfig(sources: readonly ConfigSource[]): ParsedConfig {
  const files = sources.map(({ name, text }) => readYaml(name, text));
  const problems = files.flatMap((file) => checkFile(file).toSorted((a, b) => a.line - b.line || a.column - b.column));
  const merged = mergeWritten(files);
  if (problems.length > 0) return invalid(problems, merged.value);
  // Each file is valid alone, and merging valid maps by key makes nothing else.
  const rules = normalize(merged.value);
  const contradictions = checkRules(rules, merged.places);
  if (contradictions.length > 0) return invalid(contradictions, merged.value);
  return { kind: "ok", rules, sources: merged.places };
}

/** What is wrong in one file by itself. */
function checkFile(file: YamlFile): readonly ConfigProblem[] {
  if (file.value === null) return file.problems;
  const result = writtenConfig.safeParse(file.value, { reportInput: false });
  return [...file.problems, ...(result.success ? [] : explainIssues(result.error.issues, file, schema))];
}

function invalid(problems: readonly ConfigProblem[], merged: Readonly<Record<string, unknown>>): ParsedConfig {
  const trigger = writtenTrigger.safeParse(merged["trigger"] ?? {});
  return {
    kind: "invalid",
    problems: problems.slice(0, problemsMax),
    trigger: normalizeTrigger(trigger.success ? trigger.data : {}),
  };
}
