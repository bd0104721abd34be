import type { Paragraph, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { matchCommand, type MatchedCommand } from "../domain/command.ts";

type Prefix = "optional" | "required";

/** Longest instructions that are handed on, in characters. */
const restCharactersMax = 10_000;

/** GitHub takes no longer comment. */
const markdownCharactersMax = 262_144;

/** More quote or list marks than this at a line's start: nobody writes that, and parsing many such lines takes seconds. */
const nestingMax = 12;

/** More beginnings of HTML than this, and the parser's time grows with the square of them. */
const htmlStartsMax = 300;

/** Inside these, text is shown as a quote, as code, crossed out or folded away: it is not said. */
const quotingTags = /<(\/?)(blockquote|code|del|details|kbd|pre|q|s|samp|strike|table|template|textarea|tt)\b[^>]*>/gi;

/** What would only cost time: inside emphasis or a link, a line's start is still a line's start. */
const inlineOff = {
  disable: {
    null: [
      "attention",
      "labelStartLink",
      "labelStartImage",
      "labelEnd",
      "strikethrough",
      "emailAutolink",
      "protocolAutolink",
      "wwwAutolink",
      "gfmFootnoteCall",
      "gfmPotentialFootnoteCall",
    ],
  },
};

/**
 * A line that may be a command, without reading the Markdown: cheap enough for the door, which only has to know that a
 * comment holds none. What stands in a fence is found too; `findCommand` decides.
 */
export function mayHoldCommand(markdown: string): MatchedCommand | null {
  for (const [line] of markdown.matchAll(/^ {0,3}\/.*$/gm)) {
    const found = matchCommand(line.trim(), "optional");
    if (found !== null) return found;
  }
  return null;
}

/**
 * The first command of a comment: at the start of a line of a paragraph, outside quotes, lists, code and HTML. `rest`
 * holds what stands behind its name and all that follows in the comment. null where there is none, and where the
 * text is made to be slow to read.
 */
export function findCommand(markdown: string, prefix: Prefix): MatchedCommand | null {
  if (markdown.length > markdownCharactersMax || mayHoldCommand(markdown) === null || isMadeSlow(markdown)) return null;
  const tree = fromMarkdown(markdown, { extensions: [gfm(), inlineOff], mdastExtensions: [gfmFromMarkdown()] });
  for (const start of saidLines(tree, markdown)) {
    const rest = markdown.slice(start);
    const end = rest.search(/\r\n|\n|\r|$/);
    const found = matchCommand(rest.slice(0, end).trimEnd(), prefix);
    if (found === null) continue;
    const following = rest.slice(end).trim();
    const instructions = following === "" ? found.rest : `${found.rest}\n${following}`.trim();
    return { name: found.name, rest: instructions.slice(0, restCharactersMax).toWellFormed() };
  }
  return null;
}

/** Offsets of slashes that begin a line which its author says: not quoted, not code, not hidden. */
function* saidLines(tree: Root, markdown: string): Generator<number> {
  let quoted = 0;
  for (const block of tree.children) {
    if (block.type === "html") quoted = countQuoting(block.value, quoted);
    if (block.type !== "paragraph") continue;
    for (const part of block.children) {
      if (part.type === "html") quoted = countQuoting(part.value, quoted);
      if (part.type === "text" && quoted === 0) yield* lineStarts(part, block, markdown);
    }
  }
}

/** In the source, not in the parsed text: `&#47;judge` and `\/judge` show a slash and are none. */
function* lineStarts(part: Paragraph["children"][number], paragraph: Paragraph, markdown: string): Generator<number> {
  const from = part.position?.start.offset ?? 0;
  const to = part.position?.end.offset ?? 0;
  if (from === paragraph.position?.start.offset && markdown[from] === "/") yield from;
  for (const match of markdown.slice(from, to).matchAll(/(?:\r\n|\n|\r) {0,3}(?=\/)/g)) {
    yield from + match.index + match[0].length;
  }
}

/** How many quoting elements are open behind some HTML. A comment's contents are not HTML. */
function countQuoting(html: string, open: number): number {
  let count = open;
  for (const [, closing] of html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").matchAll(quotingTags)) {
    count = Math.max(0, count + (closing === "/" ? -1 : 1));
  }
  return count;
}

function isMadeSlow(markdown: string): boolean {
  const nested = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${nestingMax}}`, "m");
  return nested.test(markdown) || (markdown.match(/<[!?a-z]/gi)?.length ?? 0) > htmlStartsMax;
}
