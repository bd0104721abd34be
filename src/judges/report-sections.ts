import type { Nodes } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { parseMarkdown } from "../text/markdown.ts";

/** A text report, taken apart at its headings. */
export interface Report {
  /** One for each SUMMARY heading: two are a contradiction. */
  readonly summaries: readonly string[];
  readonly evidence: string;
  readonly requiredFixes: string;
  /** Contents of fences that are, or begin like, JSON. Quoted ones are left out. */
  readonly json: readonly string[];
  /** Something like a finding stands outside of fences and quotes. */
  readonly looseFindings: boolean;
}

type Name = "SUMMARY" | "EVIDENCE" | "REQUIRED FIXES" | "ADVISORY";

interface Heading {
  /** null: a heading of the judge's own. */
  readonly name: Name | null;
  /** Offsets in the text: where the heading begins, and where its section does. */
  readonly start: number;
  readonly end: number;
  /** What stands behind the colon in the heading itself. */
  readonly rest: string;
}

const headingLine =
  /^(#{1,6}[ \t]+)?([*_]{0,3})(SUMMARY|EVIDENCE|REQUIRED[ _]FIXES|ADVISORY)([*_]{0,3})[ \t]*(?::([*_]{0,3})[ \t]*(.*?))?[ \t]*#*$/i;

/** Splits a report. Fenced, quoted and commented text can hold no heading; only marks make a line one. */
export function splitReport(text: string): Report {
  const tree = parseMarkdown(text);
  const hidden: [number, number][] = [];
  /** JSON fences and comments: no part of what a section says. */
  const silent: [number, number][] = [];
  const headings: Heading[] = [];
  const json: string[] = [];
  visit(tree, (node, _, parent) => {
    const range = rangeOf(node);
    if (node.type === "blockquote" || node.type === "html" || node.type === "inlineCode" || node.type === "table") {
      hidden.push(range);
      if (node.type === "html") silent.push(...commentsIn(node.value, range[0]));
      return SKIP;
    }
    if (node.type === "code") {
      hidden.push(range);
      if (isJson(node.lang ?? "", node.value)) {
        json.push(node.value);
        silent.push(range);
      }
    }
    if (node.type === "heading" && parent?.type === "root") {
      const line = text.slice(...range).split("\n", 1)[0] ?? "";
      // A line above a rule belongs to the paragraph before it: an underlined heading counts only where it is one line.
      const lines = text.slice(...range).split("\n").length;
      const named = line.startsWith("#") || lines === 2 ? readHeading(line, true) : null;
      // An underlined line of the judge's own is mostly a line of text above a rule (`PASS` and `---`).
      if (named === null && !line.startsWith("#")) return undefined;
      headings.push({ name: named?.name ?? null, rest: named?.rest ?? "", start: range[0], end: range[1] });
      hidden.push(range);
    }
    return undefined;
  });
  const visible = blank(text, hidden);
  for (const { 0: line, index } of visible.matchAll(/^.+$/gm)) {
    const named = readHeading(line, false);
    if (named !== null) headings.push({ ...named, start: index, end: index + line.length });
  }
  headings.sort((a, b) => a.start - b.start);
  const plain = blank(text, silent);
  const sections = (name: Name): string[] =>
    headings.flatMap((heading, at) => {
      if (heading.name !== name) return [];
      // SUMMARY is read for one word: it ends early. In the other sections a heading of the judge's own is content.
      const next = headings.slice(at + 1).find((other) => other.name !== null || name === "SUMMARY");
      return [`${heading.rest}\n${plain.slice(heading.end, next?.start ?? text.length)}`];
    });
  return {
    summaries: sections("SUMMARY"),
    evidence: sections("EVIDENCE").join("\n\n").trim(),
    requiredFixes: sections("REQUIRED FIXES").join("\n\n").trim(),
    json,
    looseFindings: /"severity"\s*:/.test(visible),
  };
}

/** The fixes of a section: its list's items, or its paragraphs where it has no list; none where it says "none". */
export function listFixes(section: string): readonly string[] {
  const fixes: string[] = [];
  for (const node of parseMarkdown(section).children) {
    if (node.type === "list") {
      for (const item of node.children) {
        const [start, end] = rangeOf(item);
        fixes.push(section.slice(start, end).replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, ""));
      }
    } else fixes.push(section.slice(...rangeOf(node)));
  }
  return fixes.filter((fix) => !none.test(fix.trim()));
}

const none =
  /^[*_]*(?:-+|n\/?a|not applicable|nothing|none|(?:none|no (?:required )?(?:fixes|changes))(?: (?:are |is )?(?:required|needed|necessary))?)[*_]*[.!]?[*_]*$/i;

function readHeading(line: string, marked: boolean): { name: Name; rest: string } | null {
  const match = headingLine.exec(line.trimEnd());
  if (match === null) return null;
  const [, hashes = "", opening = "", name = "", closing = "", closingLater = "", rest = ""] = match;
  if (!marked && hashes === "" && opening === "") return null;
  const stillOpen = opening !== "" && closing === "" && closingLater === "";
  return {
    name: name.toUpperCase().replace("_", " ") as Name,
    rest: stillOpen ? rest.replace(/[*_]{1,3}$/, "") : rest,
  };
}

function isJson(lang: string, value: string): boolean {
  return /^json/i.test(lang) || (/^\s*[[{]/.test(value) && (lang === "" || value.includes('"severity"')));
}

function rangeOf(node: Nodes): [number, number] {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
}

/** Replaces ranges by spaces, so that offsets stay and no line begins there. */
function blank(text: string, ranges: readonly (readonly [number, number])[]): string {
  let out = "";
  let end = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue;
    const start = Math.max(from, end);
    out += text.slice(end, start) + text.slice(start, to).replaceAll(/[^\n]/g, " ");
    end = to;
  }
  return out + text.slice(end);
}

function commentsIn(html: string, offset: number): [number, number][] {
  return [...html.matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ 0: comment, index }) => [
    offset + index,
    offset + index + comment.length,
  ]);
}
