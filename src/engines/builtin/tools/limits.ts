/** Characters of one tool's result; the rest is left out and said. */
export const resultCharactersMax = 16_000;

/** Characters of one line that is shown. */
export const lineCharactersMax = 500;

/** Largest file that is read, searched or edited, in bytes. */
export const fileBytesMax = 10 * 1024 * 1024;

/** What went wrong in words for the model. Anything else that is thrown is told by its message alone. */
export function refuse(message: string): never {
  throw new Error(message);
}

export function cutLine(line: string): string {
  return line.length <= lineCharactersMax
    ? line
    : `${line.slice(0, lineCharactersMax)} … [${line.length - lineCharactersMax} more characters]`;
}

/** Head and tail of a text that is too long, with a mark between them. */
export function cutMiddle(text: string, charactersMax = resultCharactersMax): string {
  if (text.length <= charactersMax) return text;
  const half = Math.floor(charactersMax / 2) - 40;
  return `${text.slice(0, half)}\n… [${text.length - 2 * half} characters left out] …\n${text.slice(-half)}`;
}

/** A tool's input as the model wrote it. */
export type Input = Readonly<Record<string, unknown>>;

export function textOf(input: Input, key: string, fallback?: string): string {
  const value = input[key] ?? fallback;
  return typeof value === "string" ? value : refuse(`${key}: a text is needed`);
}

export function countOf(input: Input, key: string, fallback: number, max: number): number {
  const value = input[key] ?? fallback;
  if (typeof value !== "number" || !Number.isFinite(value)) return refuse(`${key}: a number is needed`);
  return Math.min(max, Math.max(1, Math.floor(value)));
}
