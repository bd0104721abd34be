import type { ModelMessage } from "ai";
import { modelMessageSchema } from "ai";
import { z } from "zod";

/** Largest session that is kept, in bytes; a larger one can not be continued. */
const sessionBytesMax = 8 * 1024 * 1024;

const sessionSchema = z.object({ version: z.literal(1), messages: z.array(modelMessageSchema) });

/** The conversation so far as text, or null where it is too large to keep. */
export function writeSession(messages: readonly ModelMessage[]): string | null {
  const text = JSON.stringify({ version: 1, messages });
  return Buffer.byteLength(text) > sessionBytesMax ? null : text;
}

/** The conversation of an earlier turn; null where the text is none of ours. */
export function readSession(session: string | null): readonly ModelMessage[] | null {
  if (session === null) return [];
  try {
    return sessionSchema.parse(JSON.parse(session)).messages;
  } catch {
    return null;
  }
}
