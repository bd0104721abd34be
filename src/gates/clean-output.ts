import stripAnsi from "strip-ansi";

/** Characters kept of a gate's output: what a fix turn and a report can carry. */
export const outputCharactersMax = 4_000;

/** Control characters and what is drawn as nothing. Line feeds and tabs stay. */
const invisible = /(?![\n\t])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;

/** Output as a person would have seen it at the end: no colours, no overwritten progress, nothing invisible. */
export function cleanOutput(output: string): string {
  return stripAnsi(output.toWellFormed()).split("\n").map(lastShown).join("\n").replaceAll(invisible, "").trimEnd();
}

/** A carriage return starts the line anew: what was written last is what stays on the screen. */
function lastShown(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((part) => part.trim() !== "") ?? "";
}

/** Head and tail, cut at line ends where there are any near, with a mark that says how much is missing. */
export function trimOutput(output: string, charactersMax = outputCharactersMax): string {
  if (output.length <= charactersMax) return output;
  const markMax = 60;
  const half = Math.floor((charactersMax - markMax) / 2);
  const head = cutAtLineEnd(output.slice(0, half).toWellFormed());
  const tail = cutAtLineStart(output.slice(-half).toWellFormed());
  return `${head}\n[… ${output.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** How far a cut may move to meet a line's end. */
const moveCharactersMax = 200;

function cutAtLineEnd(text: string): string {
  const at = text.lastIndexOf("\n");
  return at >= text.length - moveCharactersMax ? text.slice(0, at) : text;
}

function cutAtLineStart(text: string): string {
  const at = text.indexOf("\n");
  return at >= 0 && at < moveCharactersMax ? text.slice(at + 1) : text;
}
