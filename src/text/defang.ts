import type { Root } from "mdast";
import { visit } from "unist-util-visit";
import { fence } from "./fence.ts";
import { removeInvisible } from "./invisible.ts";
import { cutText } from "./limits.ts";
import { inertTree, live } from "./inert-tree.ts";
import { isTangled, parseMarkdown, writeMarkdown } from "./markdown.ts";

/** What a text of a model may measure on GitHub unless the caller says otherwise, in characters. */
export const modelTextCharactersMax = 20_000;

/**
 * Makes a model's text harmless for GitHub while it stays readable: links and images become their text and, if it is
 * http(s), their address as code; HTML becomes visible text; headings become bold, so that no section of ours can be
 * forged; mentions, issue references and commands become code. Redact secrets before. The result is block text: put
 * it at the start of a line, or give each of its lines the same prefix. It is read back before it is returned; what
 * did not come out harmless is fenced as a whole.
 */
export function defang(text: string, charactersMax = modelTextCharactersMax): string {
  return defangWith(text, charactersMax, (visible) => parseMarkdown(visible));
}

/** The same for one line inside a sentence or a list item. In a table's cell, escape `|` as well. */
export function defangLine(text: string, charactersMax = 1_000): string {
  // A word in front keeps the line from being read as a heading, a list or a block of HTML.
  const front = "x ";
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim();
  const written = defangWith(line, charactersMax, (visible) => {
    const tree = parseMarkdown(front + visible);
    const first = tree.children[0];
    if (first?.type === "paragraph" && first.children[0]?.type === "text") {
      first.children[0].value = first.children[0].value.slice(front.length);
    }
    return tree;
  });
  if (!written.includes("\n")) return written;
  return `\`${
    removeInvisible(line)
      .text.slice(0, charactersMax - 2)
      .replaceAll("`", "'")
      .trim() || "·"
  }\``;
}

/**
 * The same for places without Markdown (titles, commit messages): mentions, references and addresses of issues are
 * broken by a space.
 */
export function defangPlain(text: string): string {
  return removeInvisible(text)
    .text.replaceAll(/@(?=\w)/g, "@ ")
    .replaceAll(/#(?=\d)/g, "# ")
    .replaceAll(/\bGH-(?=\d)/gi, "GH ")
    .replaceAll(/\b(issues|pull|pulls|discussions)\/(?=\d)/gi, "$1 ");
}

function defangWith(text: string, charactersMax: number, parse: (text: string) => Root): string {
  const mark = "\n\n(cut)";
  let size = charactersMax;
  // Escapes and fences add to the length; a text that grew too long is cut before, never after it was made harmless.
  for (let round = 0; round < 6; round += 1) {
    const visible = cutText(removeInvisible(text).text, size, mark);
    const written = makeInert(visible, parse);
    if (written.length <= charactersMax) return written;
    size = Math.floor(size / 2);
  }
  return "";
}

function makeInert(visible: string, parse: (text: string) => Root): string {
  try {
    if (!isTangled(visible)) {
      const written = writeMarkdown(inertTree(parse(visible)));
      if (isInert(written)) return written.trimEnd();
    }
  } catch {
    // The parser gave up on this text. It is shown as it is, where nothing in it can act.
  }
  return fence(visible, "text");
}

/** Whether the written text, read again, holds nothing that acts. */
function isInert(markdown: string): boolean {
  let inert = true;
  visit(parseMarkdown(markdown), (node) => {
    if (acting.has(node.type)) inert = false;
    if (node.type === "text" && node.value.search(live) !== -1) inert = false;
  });
  return inert;
}

const acting = new Set([
  "definition",
  "footnoteDefinition",
  "footnoteReference",
  "heading",
  "html",
  "image",
  "imageReference",
  "link",
  "linkReference",
]);
