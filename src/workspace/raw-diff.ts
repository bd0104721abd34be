import { GavelError } from "../errors.ts";
import type { ByteName } from "./byte-name.ts";

/** One record of `git diff-tree --raw -z`. */
export interface RawRecord {
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
  readonly status: "A" | "M" | "D" | "R" | "T";
  readonly path: ByteName;
  readonly oldPath: ByteName | null;
}

/** One record of `--numstat -z`. null: binary. */
export interface LineCount {
  readonly added: number | null;
  readonly removed: number | null;
}

/** Reads the records of `--raw -z`, and tells where they end, for what follows them. */
export function parseRaw(fields: readonly ByteName[]): {
  readonly records: readonly RawRecord[];
  readonly next: number;
} {
  const records: RawRecord[] = [];
  let at = 0;
  while (at < fields.length && fields[at]?.startsWith(":") === true) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", letters = ""] = fields[at]?.slice(1).split(" ") ?? [];
    const status = checkStatus(letters[0]);
    const first = take(fields, at + 1);
    const renamed = status === "R";
    const path = renamed ? take(fields, at + 2) : first;
    records.push({ oldMode, newMode, oldId, newId, status, path, oldPath: renamed ? first : null });
    at += renamed ? 3 : 2;
  }
  return { records, next: at };
}

/** Reads the records of `--numstat -z`; a rename's counts stand before an empty field and its two names. */
export function parseCounts(fields: readonly ByteName[], start: number): LineCount[] {
  const counts: LineCount[] = [];
  let at = start;
  while (at < fields.length) {
    const record = take(fields, at);
    const match = /^(\d+|-)\t(\d+|-)\t/.exec(record);
    if (match === null) throw unreadable(`line counts: ${record.slice(0, 80)}`);
    counts.push({ added: readCount(match[1]), removed: readCount(match[2]) });
    at += record.length === match[0].length ? 3 : 1;
  }
  return counts;
}

function readCount(text: string | undefined): number | null {
  return text === undefined || text === "-" ? null : Number(text);
}

function take(fields: readonly ByteName[], at: number): ByteName {
  const field = fields[at];
  if (field === undefined) throw unreadable("the output ends in the middle of a record");
  return field;
}

function checkStatus(letter: string | undefined): RawRecord["status"] {
  if (letter === "A" || letter === "M" || letter === "D" || letter === "R" || letter === "T") return letter;
  throw unreadable(`status ${letter ?? "missing"}`);
}

export function unreadable(what: string): GavelError {
  return new GavelError("diff-unreadable", `git's diff could not be read: ${what}`, "Report this: it is a fault here.");
}
