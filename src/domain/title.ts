/** The longest title of a pull request, and subject of a commit, in UTF-16 units: never more than as many characters. */
export const titleCharactersMax = 72;

const draftMark = "[WIP] ";

/**
 * The title of a pull request: one line, cut at a word, never empty. A draft carries a mark; a mark of somebody
 * else's is taken off, because it would call a ready pull request unfinished.
 */
export function pullRequestTitle(title: string, { draft }: { readonly draft: boolean }): string {
  const mark = draft ? draftMark : "";
  return mark + cutAtWord(oneLine(title), titleCharactersMax - mark.length);
}

/** What is drawn as nothing or breaks the line. Joiners stay where they really join an emoji. */
const invisible =
  /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic}))(?!(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}])(?!(?<=[0-9#*])\u{FE0F}(?=\u{20E3}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Words in brackets by which a commit keeps checks from running: no title of others may do that. */
const skipMark = /\[\s*(skip[ -]?(?:ci|actions|checks)|(?:ci|actions)[ -]?skip|no[ -]?ci)\s*\]/gi;

/** Somebody's title as one clean line, never empty. */
export function oneLine(title: string): string {
  const line = title
    .toWellFormed()
    .replaceAll(/\s+/g, " ")
    .replaceAll(invisible, "")
    .replaceAll(skipMark, "($1)")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:\[wip\]\s*)+/i, "");
  return line === "" ? "Change without a title" : line;
}

/** Cuts a line to a number of UTF-16 units: at a word where one ends in its second half, else between characters. */
export function cutAtWord(line: string, unitsMax: number): string {
  if (line.length <= unitsMax) return line;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)) {
    if (kept.length + segment.length > unitsMax - 1) break;
    kept += segment;
  }
  // One character with more marks on it than there is room: without the marks.
  if (kept === "") kept = String.fromCodePoint(line.codePointAt(0) ?? 0);
  const nextIsSpace = line[kept.length] === " ";
  const word = kept.lastIndexOf(" ");
  const cut = !nextIsSpace && word >= unitsMax / 2 ? kept.slice(0, word) : kept;
  return `${cut.trimEnd()}…`;
}
