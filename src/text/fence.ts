import { removeInvisible } from "./invisible.ts";

/** The shortest fence of Markdown, in backticks. */
const fenceCharactersMin = 3;

/**
 * Puts text into a code fence that nothing inside can close: its run of backticks is longer than any in the text.
 * `label` becomes the info string; characters that could end it or mean something are dropped.
 */
export function fence(text: string, label = ""): string {
  let longest = fenceCharactersMin - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const ticks = "`".repeat(longest + 1);
  const info = label.replaceAll(/[^\w.+#-]/g, "");
  return `${ticks}${info}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${ticks}`;
}

/**
 * Fences text of others for a model. `label` is random and chosen by the caller for each packet: text that wants to
 * pass for the end of the data would have to guess it. Invisible characters are removed.
 */
export function untrusted(text: string, label: string): string {
  return fence(removeInvisible(text).text, `untrusted-${label}`);
}
