/** What `removeInvisible` leaves, and how many characters it took out. */
export interface VisibleText {
  readonly text: string;
  /** Code points removed. Line ends that were only rewritten do not count. */
  readonly removed: number;
}

/**
 * Joiners and variation selectors that really join an emoji: they are seen, so they stay. Each stands directly between
 * its partners, so a chain of them can not carry a hidden message.
 */
const insideEmoji = [
  String.raw`(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]`,
  String.raw`(?<=[0-9#*])\u{FE0F}(?=\u{20E3})`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic})`,
].join("|");

// Unicode's own list of what is drawn as nothing, rather than a list of ours: it holds the zero-width and
// bidirectional characters and the tags, and also the fillers and selectors that are used for the same trick.
const invisible = String.raw`[\p{Cc}\p{Default_Ignorable_Code_Point}\u{2028}\u{2029}\u{FFF9}-\u{FFFB}]`;

const unwanted = new RegExp(`(?!${insideEmoji})(?![\\n\\t])${invisible}`, "gu");

/**
 * Takes out what a person can not see but a model or a parser can: zero-width, bidirectional and tag characters,
 * fillers, control characters. Line feeds and tabs stay, other line ends become line feeds, half surrogates become
 * U+FFFD. Doing it twice changes nothing more.
 */
export function removeInvisible(text: string): VisibleText {
  let removed = 0;
  const visible = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(unwanted, () => {
      removed += 1;
      return "";
    });
  return { text: visible, removed };
}
