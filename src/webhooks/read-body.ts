import type { IncomingMessage } from "node:http";

export type BodyReading =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too-large" | "too-slow" | "too-busy" | "cut-off" };

/** Bytes of bodies that all requests together may hold: nobody has proved anything before a body is there. */
export interface BodyRoom {
  bytesLeft: number;
}

interface Limits {
  readonly bytesMax: number;
  readonly secondsMax: number;
}

/** Reads a body as bytes, within limits of size and time. Never rejects. Gives its room back when `release` is called. */
export async function readBody(
  request: IncomingMessage,
  room: BodyRoom,
  { bytesMax, secondsMax }: Limits,
): Promise<{ readonly body: BodyReading; release(): void }> {
  let held = 0;
  const release = (): void => {
    room.bytesLeft += held;
    held = 0;
  };
  const body = await new Promise<BodyReading>((resolve) => {
    const chunks: Buffer[] = [];
    const end = (reading: BodyReading): void => {
      clearTimeout(timer);
      request.off("data", take).off("end", finish).off("error", cutOff).off("close", cutOff);
      // A late error of the connection must not end the process.
      request.on("error", () => undefined);
      resolve(reading);
    };
    const cutOff = (): void => end({ kind: "cut-off" });
    const finish = (): void => end({ kind: "read", bytes: Buffer.concat(chunks) });
    const take = (chunk: Buffer): void => {
      if (held + chunk.length > bytesMax) return end({ kind: "too-large" });
      if (chunk.length > room.bytesLeft) return end({ kind: "too-busy" });
      held += chunk.length;
      room.bytesLeft -= chunk.length;
      chunks.push(chunk);
    };
    const timer = setTimeout(() => end({ kind: "too-slow" }), secondsMax * 1_000);
    if (Number(request.headers["content-length"] ?? 0) > bytesMax) return end({ kind: "too-large" });
    request.on("data", take).on("end", finish).on("error", cutOff).on("close", cutOff);
  });
  return { body, release };
}

/**
 * Throws away what a refused client still sends, so that it gets to read the answer; then hangs up. Bounded in bytes
 * and time.
 */
export function discardRest(request: IncomingMessage, { bytesMax, secondsMax }: Limits): void {
  let bytes = 0;
  const hangUp = (): void => void request.destroy();
  const timer = setTimeout(hangUp, secondsMax * 1_000);
  request
    .on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) hangUp();
    })
    .on("error", () => undefined)
    .once("close", () => clearTimeout(timer))
    .resume();
}
