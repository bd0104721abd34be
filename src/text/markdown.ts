import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";

/** More quote or list marks than this at the start of one line, and the parser's stack is at risk. */
const nestingMax = 40;

/** More marks of emphasis or brackets than this, and the parser's time grows with the square of them. */
const inlineMarksMax = 2_000;

/** Parses GitHub's Markdown. Ask {@link isTangled} first where the text is not ours. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Writes a tree as GitHub's Markdown, escaping what would be read back as something else. */
export function writeMarkdown(tree: Root): string {
  return toMarkdown(tree, {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: "-",
    emphasis: "*",
    rule: "-",
    fences: true,
    listItemIndent: "one",
  });
}

/** Whether parsing this text would cost more than it is worth: nesting or marks made to hurt. */
export function isTangled(text: string): boolean {
  if (new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){${nestingMax}}`, "m").test(text))
    return true;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ("*_~[]<".includes(text.charAt(at))) marks += 1;
  }
  return marks > inlineMarksMax;
}
