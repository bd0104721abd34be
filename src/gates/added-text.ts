/** The lines that a change adds, and where each stands in the new file. */
export interface AddedText {
  readonly text: string;
  /** Line in the head version for each line of the text. */
  readonly lines: readonly number[];
}

/** Reads the added lines out of a file's hunks (unified text with `@@` lines). */
export function readAddedText(hunks: string): AddedText {
  const texts: string[] = [];
  const lines: number[] = [];
  let line = 0;
  for (const row of hunks.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row)?.[1];
    if (start !== undefined) {
      line = Number(start);
    } else if (row.startsWith("+")) {
      texts.push(row.slice(1));
      lines.push(line);
      line += 1;
    } else if (row.startsWith(" ")) {
      line += 1;
    }
  }
  return { text: texts.join("\n"), lines };
}
