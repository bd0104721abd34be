import type { Readable } from "node:stream";
import type { CappedOutput } from "./spawn.ts";

/** A stream that is being read to its end, whatever its length. */
export interface KeptOutput {
  /** What was kept so far. */
  read(): CappedOutput;
  /** Settles when no writer is left, or the stream was destroyed. */
  readonly closed: Promise<void>;
}

/**
 * Reads a stream to its end and keeps at most `bytesMax` bytes: the first half and the last half, because the first
 * error is at the beginning and the summary at the end. Memory stays bounded by `bytesMax` and one chunk.
 */
export function keepOutput(stream: Readable, bytesMax: number): KeptOutput {
  const headMax = Math.ceil(bytesMax / 2);
  const tailMax = Math.floor(bytesMax / 2);
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let [headBytes, tailBytes, bytes] = [0, 0, 0];

  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    const forHead = chunk.subarray(0, headMax - headBytes);
    if (forHead.length > 0) {
      head.push(Buffer.from(forHead));
      headBytes += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    tail.push(forTail);
    tailBytes += forTail.length;
    for (let first = tail[0]; first !== undefined && tailBytes - first.length >= tailMax; first = tail[0]) {
      tail.shift();
      tailBytes -= first.length;
    }
  });
  // A stream that breaks is a stream that ended: the exit code tells the rest.
  stream.on("error", () => {});
  const closed = new Promise<void>((resolve) => stream.once("close", resolve));

  function read(): CappedOutput {
    const first = Buffer.concat(head);
    const rest = Buffer.concat(tail);
    if (bytes <= bytesMax) return { text: decode(Buffer.concat([first, rest])), bytes, truncated: false };
    const last = rest.subarray(Math.max(0, rest.length - tailMax));
    const mark = `\n[… ${bytes - first.length - last.length} bytes left out …]\n`;
    return { text: decode(cutEnd(first)) + mark + decode(cutStart(last)), bytes, truncated: true };
  }
  return { read, closed };
}

/** Output of a child that never ran. */
export const noOutput: CappedOutput = { text: "", bytes: 0, truncated: false };

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Takes off a character that our own cut tore apart, so that it is not taken for invalid output of the child. */
function cutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function cutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
