import type { IncomingMessage } from "node:http";
import type { GatewayError } from "./reply.ts";

/** Largest request, in bytes: what the provider takes. */
export const requestBytesMax = 32 * 1024 * 1024;

/** The whole body, or why it is refused. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | GatewayError> {
  const tooLarge: GatewayError = {
    status: 413,
    type: "request_too_large",
    message: `the request is larger than ${requestBytesMax} bytes`,
  };
  if (Number(request.headers["content-length"] ?? 0) > requestBytesMax) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not a `for await`: leaving it would destroy the connection before the error is sent.
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= requestBytesMax) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve(tooLarge);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the caller went away")));
  });
}
