import { isTangled, parseMarkdown } from "./markdown.ts";

/** GitHub's limits, in characters unless the name says otherwise. */
export const commentCharactersMax = 65_536;
export const checkOutputCharactersMax = 65_535;
export const checkTitleCharactersMax = 255;
export const annotationTitleCharactersMax = 255;
/** GitHub allows 64 KiB; a character takes up to four bytes of it. */
export const annotationMessageCharactersMax = 16_000;
/** Annotations in one request; more go in further requests. */
export const annotationsPerRequestMax = 50;

/** Room is looked for this often before the text is given up. */
const cutTriesMax = 8;

/** How far a cut is moved back to end at a line. */
const lineCharactersMax = 400;

/**
 * Cuts text to at most `charactersMax`, `mark` included. What stays is whole Markdown: no half surrogate pair, no
 * open fence, code span, comment, tag or details block. Short text comes back unchanged. `mark` is a constant of the
 * caller's; where not even it fits, the result is empty.
 */
export function cutText(text: string, charactersMax: number, mark: string): string {
  if (text.length <= charactersMax) return text;
  let room = charactersMax - mark.length;
  for (let tries = 0; tries < cutTriesMax && room > 0; tries += 1) {
    const kept = dropDangling(cutAtLine(text, room));
    const closed = kept + closers(kept);
    const excess = closed.length + mark.length - charactersMax;
    if (excess <= 0 && isClosed(closed)) return closed + mark;
    room = excess > 0 ? room - excess : Math.floor(kept.length / 2);
  }
  return mark.length <= charactersMax ? mark : "";
}

function cutAtLine(text: string, charactersMax: number): string {
  let end = charactersMax;
  // A high surrogate at the end has lost its other half.
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  const newline = text.lastIndexOf("\n", end);
  if (newline > 0 && end - newline <= lineCharactersMax) end = newline;
  return text.slice(0, end);
}

/** Takes back what the cut left open inside the last lines: an HTML comment, a tag, a code span. */
function dropDangling(text: string): string {
  const { fence, comment } = scan(text);
  if (comment !== null) return text.slice(0, comment);
  if (fence !== null) return text;
  const near = Math.max(0, text.length - lineCharactersMax);
  const tag = text.slice(near).search(/<[/A-Za-z][^<>]*$/);
  const kept = tag === -1 ? text : text.slice(0, near + tag);
  const paragraph = kept.lastIndexOf("\n\n") + 1;
  const open = openSpan(kept.slice(paragraph));
  return open === null ? kept : kept.slice(0, paragraph + open);
}

/** Where in a paragraph a code span begins that does not end, or null. */
function openSpan(paragraph: string): number | null {
  let open: { readonly at: number; readonly length: number } | null = null;
  for (const run of paragraph.matchAll(/(?<!\\)`+/g)) {
    if (open === null) open = { at: run.index, length: run[0].length };
    else if (open.length === run[0].length) open = null;
  }
  return open === null ? null : open.at;
}

/** What is still open at the end of a text. */
interface Open {
  /** A fence: its run, and the quote marks and indentation before it. */
  readonly fence: { readonly prefix: string; readonly run: string } | null;
  /** Where an HTML comment begins that does not end. */
  readonly comment: number | null;
  /** Details blocks. */
  readonly details: number;
}

/** Line by line, as a whole parse of 65,536 characters for each try would be too slow. */
function scan(text: string): Open {
  let fence: Open["fence"] = null;
  let comment: number | null = null;
  let details = 0;
  let start = 0;
  for (const line of text.split("\n")) {
    const match = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$/.exec(line);
    const [, prefix = "", run = "", rest = ""] = match ?? [];
    if (fence !== null) {
      if (run.startsWith(fence.run) && rest.trim() === "") fence = null;
    } else if (comment === null && run !== "" && (run.startsWith("~") || !rest.includes("`"))) {
      fence = { prefix: prefix.replaceAll(/[^>\s]/g, " "), run };
    } else {
      for (const found of line.matchAll(/<!--|-->|<details\b|<\/details\s*>/gi)) {
        if (comment !== null) {
          if (found[0] === "-->") comment = null;
        } else if (found[0] === "<!--") comment = start + found.index;
        else if (found[0] !== "-->") details = Math.max(0, details + (found[0].startsWith("</") ? -1 : 1));
      }
    }
    start += line.length + 1;
  }
  return { fence, comment, details };
}

/** The parser's word: whether what follows is read for itself. Lists and quotes around a fence can fool {@link scan}. */
function isClosed(text: string): boolean {
  if (isTangled(text)) return true;
  const last = parseMarkdown(`${text}\n\nx`).children.at(-1);
  return last?.type === "paragraph" && last.position?.start.offset === text.length + 2;
}

/** What has to follow so that nothing stays open. */
function closers(text: string): string {
  const { fence, details } = scan(text);
  const fenceEnd = fence === null ? "" : `${text.endsWith("\n") ? "" : "\n"}${fence.prefix}${fence.run}`;
  return fenceEnd + "\n\n</details>".repeat(details);
}
