/** The comments and bodies that Gavel finds again and edits instead of repeating them. */
export type MarkerKind =
  | "progress"
  | "verdict"
  | "report"
  | "blocker"
  | "pull-request"
  | "review"
  | "superseded"
  | "status"
  | "help";

export const markerKinds: readonly MarkerKind[] = [
  "progress",
  "verdict",
  "report",
  "blocker",
  "pull-request",
  "review",
  "superseded",
  "status",
  "help",
];

export interface Marker {
  readonly kind: MarkerKind;
  readonly chain: string;
  /** What tells two of one kind in one chain apart, for example a pushed commit; empty where there is one only. */
  readonly extra: string;
}

/** The longest marker that is looked at, in characters. */
const markerCharactersMax = 400;

const pattern = /^<!-- gavel:([a-z-]{1,20}) ([\w-]{1,64})(?: ([\w.~%]{1,200}))? -->$/;

/**
 * The invisible tag of a message: a line of its own at the body's start or end.
 * Throws on a chain id that is not of letters, digits, `_` and `-`: it would be found by nobody.
 */
export function marker(kind: MarkerKind, chain: string, extra = ""): string {
  // A hyphen is written out, so that `--` can not end the comment early.
  const tail =
    extra === ""
      ? ""
      : ` ${encodeURIComponent(extra).replaceAll(/[-!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
  const written = `<!-- gavel:${kind} ${chain}${tail} -->`;
  if (!pattern.test(written)) throw new TypeError(`not a marker: ${written}`);
  return written;
}

/**
 * The marker that is exactly the first or the last line of a body, or null. Anything in between is text of somebody
 * else. Whether the message is ours at all is its author's matter, not the marker's: ask that first.
 */
export function readMarker(body: string | null): Marker | null {
  const lines = (body ?? "").trim();
  const end = lines.lastIndexOf("\n");
  const start = lines.indexOf("\n");
  const first = lines.slice(0, start === -1 ? lines.length : start);
  return readLine(first.trim()) ?? readLine(lines.slice(end + 1).trimEnd());
}

function readLine(line: string): Marker | null {
  if (line.length > markerCharactersMax) return null;
  const [, word = "", chain = "", tail = ""] = pattern.exec(line) ?? [];
  const kind = markerKinds.find((known) => known === word);
  if (kind === undefined) return null;
  try {
    return { kind, chain, extra: decodeURIComponent(tail) };
  } catch {
    return null;
  }
}
