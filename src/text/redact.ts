import { secretShapes } from "./secret-shapes.ts";

export interface RedactedText {
  readonly text: string;
  /** Places where something was taken out. */
  readonly redacted: number;
}

/** What stands where a secret was. */
export const redactedMark = "[redacted]";

/** Shorter "secrets" are words that occur by themselves; taking them out would only spoil the text. */
const secretCharactersMin = 8;

/**
 * Takes out the exact secrets that Gavel holds, also in the forms in which they travel (base64 at any offset, URL,
 * JSON, hex; each line of one with several lines), and everything that looks like a well-known kind of token.
 * Linear in the text for every shape. Do it before text is made harmless for Markdown, and again on all that leaves.
 */
export function redactSecrets(text: string, known: readonly string[]): RedactedText {
  let redacted = 0;
  const hide = (): string => {
    redacted += 1;
    return redactedMark;
  };
  let clean = text;
  for (const form of secretForms(known)) {
    if (clean.includes(form)) clean = clean.replaceAll(form, hide);
  }
  clean = hidePrivateKeys(clean, hide);
  for (const shape of secretShapes) {
    clean = clean.replaceAll(shape.pattern, (...found: unknown[]) => {
      const [whole, kept] = found as [string, string | undefined];
      if (shape.isLikely !== undefined && !shape.isLikely(whole)) return whole;
      if (whole.includes(redactedMark)) return whole;
      return (shape.keepsFirstGroup === true ? (kept ?? "") : "") + hide();
    });
  }
  return { text: clean, redacted };
}

/** Longest first, so that a secret inside another does not leave the rest of it standing. */
function secretForms(known: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const secret of known) {
    const parts = secret.includes("\n")
      ? [secret, ...secret.split("\n").filter((line) => line.length >= 16)]
      : [secret];
    for (const part of parts.map((part) => part.trim())) {
      if (part.length < secretCharactersMin) continue;
      for (const form of [
        part,
        JSON.stringify(part).slice(1, -1),
        encodeURIComponent(part.toWellFormed()),
        ...encodings(part),
      ]) {
        forms.add(form);
      }
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Base64 shows the same bytes in three ways, by where they begin; the characters shared with neighbours are left out. */
function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const forms = [bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(Math.ceil((offset * 8) / 6), whole);
    if (core.length >= secretCharactersMin) forms.push(core, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

const keyEdge = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const keyBody = /[A-Za-z0-9+/=\s\\>|]*/y;

/** A key in PEM form, also one whose end was cut off. By hand: as one pattern it would search again from every start. */
function hidePrivateKeys(text: string, hide: () => string): string {
  let clean = "";
  let end = 0;
  const edges = [...text.matchAll(keyEdge)];
  for (const [index, edge] of edges.entries()) {
    if (edge.index < end || edge[1] !== "BEGIN") continue;
    const next = edges[index + 1];
    keyBody.lastIndex = edge.index + edge[0].length;
    const body = keyBody.exec(text)?.[0].length ?? 0;
    clean += text.slice(end, edge.index) + hide();
    end = next?.[1] === "END" ? next.index + next[0].length : edge.index + edge[0].length + body;
  }
  return clean + text.slice(end);
}
