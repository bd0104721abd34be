import type { Artifact, ArtifactReading, Question } from "./artifact.ts";
import { parseStrictJson } from "./strict-json.ts";

const opening = "<coding_artifact>";
const closing = "</coding_artifact>";

/** The longest block that is read, in characters. */
export const artifactCharactersMax = 200_000;

/** The longest reason of a changed file, in characters (chain.md "Artifact"). */
const reasonCharactersMax = 120;

/**
 * Reads the block that ends a reply. Strict: one pair of tags, each on a line of its own, nothing behind it, strict
 * JSON of exactly the known keys. A reply without a tag has none (`missing`); anything else is told exactly.
 */
export function readArtifact(reply: string): ArtifactReading {
  if (!reply.includes(opening) && !reply.includes(closing)) return { kind: "missing" };
  const lines = reply.split(/\r\n|\r|\n/);
  const at = (tag: string) => lines.flatMap((line, index) => (line.trim() === tag ? [index] : []));
  const [begin, ...moreOpenings] = at(opening);
  const [end, ...moreClosings] = at(closing);
  if (begin === undefined) return malformed(`there is no line that holds only ${opening}`);
  if (end === undefined) return malformed(`there is no line that holds only ${closing}`);
  if (moreOpenings.length > 0 || moreClosings.length > 0) return malformed("there is more than one block");
  if (end < begin) return malformed(`${closing} comes before ${opening}`);
  if (lines.slice(end + 1).some((line) => line.trim() !== "")) return malformed(`something stands behind ${closing}`);
  const json = lines.slice(begin + 1, end).join("\n");
  if (json.length > artifactCharactersMax) return malformed(`it is longer than ${artifactCharactersMax} characters`);
  const parsed = parseStrictJson(json);
  if (parsed.kind === "invalid") return malformed(parsed.complaint);
  const complaints: string[] = [];
  const artifact = readBody(parsed.value, complaints);
  return artifact === null || complaints.length > 0 ? malformed(complaints.join("; ")) : { kind: "given", artifact };
}

function malformed(complaint: string): ArtifactReading {
  return { kind: "malformed", complaint };
}

const required = ["summary", "files_changed", "tests_run", "expected_behavior"];
const optional = ["edge_cases", "risks", "contested", "question"];

function readBody(value: unknown, complaints: string[]): Artifact | null {
  const body = readObject(value, "the block", required, optional, complaints);
  if (body === null) return null;
  return {
    summary: readText(body["summary"], "summary", complaints),
    filesChanged: readList(body["files_changed"], "files_changed", complaints, (entry, place) => {
      const file = readObject(entry, place, ["path", "reason"], [], complaints);
      const reason = readText(file?.["reason"], `${place}.reason`, complaints);
      if (reason.length > reasonCharactersMax) {
        complaints.push(`\`${place}.reason\` is longer than ${reasonCharactersMax} characters`);
      }
      return { path: readText(file?.["path"], `${place}.path`, complaints), reason };
    }),
    testsRun: readTexts(body["tests_run"], "tests_run", complaints),
    expectedBehavior: readText(body["expected_behavior"], "expected_behavior", complaints),
    edgeCases: readTexts(body["edge_cases"] ?? [], "edge_cases", complaints),
    risks: readTexts(body["risks"] ?? [], "risks", complaints),
    contested: readList(body["contested"] ?? [], "contested", complaints, (entry, place) => {
      const claim = readObject(entry, place, ["id", "why"], [], complaints);
      return {
        id: readText(claim?.["id"], `${place}.id`, complaints),
        why: readText(claim?.["why"], `${place}.why`, complaints),
      };
    }),
    question: readQuestion(body["question"] ?? null, complaints),
  };
}

/** Doubt alone is no question: a person is only asked to choose between at least two readings. */
function readQuestion(value: unknown, complaints: string[]): Question | null {
  if (value === null) return null;
  const question = readObject(value, "question", ["question", "readings"], [], complaints);
  if (question === null) return null;
  const readings = readTexts(question["readings"], "question.readings", complaints);
  if (readings.length < 2) complaints.push("`question.readings` needs at least two concrete readings");
  return { question: readText(question["question"], "question.question", complaints), readings };
}

function readObject(
  value: unknown,
  place: string,
  required: readonly string[],
  optional: readonly string[],
  complaints: string[],
): Readonly<Record<string, unknown>> | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    complaints.push(`\`${place}\` has to be an object`);
    return null;
  }
  const keys = Object.keys(value);
  for (const key of keys) {
    if (!required.includes(key) && !optional.includes(key))
      complaints.push(`\`${place}\` has the unknown key \`${key}\``);
  }
  for (const key of required) if (!keys.includes(key)) complaints.push(`\`${place}\` lacks the key \`${key}\``);
  return value as Readonly<Record<string, unknown>>;
}

function readText(value: unknown, place: string, complaints: string[]): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  // A key that is not there at all was told already.
  if (value !== undefined) complaints.push(`\`${place}\` has to be a text that is not empty`);
  return "";
}

function readList<T>(
  value: unknown,
  place: string,
  complaints: string[],
  read: (entry: unknown, place: string) => T,
): readonly T[] {
  if (Array.isArray(value)) return value.map((entry, index) => read(entry, `${place}[${index}]`));
  if (value !== undefined) complaints.push(`\`${place}\` has to be a list`);
  return [];
}

function readTexts(value: unknown, place: string, complaints: string[]): readonly string[] {
  return readList(value, place, complaints, (entry, place) => readText(entry, place, complaints));
}
