import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { Pool } from "pg";
import { GavelError } from "../errors.ts";
import type { Records } from "./record.ts";

const compress = promisify(deflate);
const expand = promisify(inflate);

/** Largest value that is kept, in bytes before compression. */
export const blobBytesMax = 64 * 1024 * 1024;

/** Large values beside the events: patches, sessions, logs. Compressed here, so that they are small on the wire too. */
export function openBlobs(pool: Pool): Pick<Records, "putBlob" | "getBlob"> {
  return {
    putBlob: async (chain, name, bytes) => {
      if (bytes.length > blobBytesMax) {
        throw new GavelError(
          "blob-too-large",
          `"${name}" of chain ${chain} has ${bytes.length} bytes; at most ${blobBytesMax} are kept.`,
          "Make the change smaller, or keep large files out of it.",
        );
      }
      await pool.query(
        `INSERT INTO gavel.blobs (chain_id, name, bytes_raw, data) VALUES ($1, $2, $3, $4)
         ON CONFLICT (chain_id, name) DO UPDATE SET bytes_raw = excluded.bytes_raw, data = excluded.data, at = now()`,
        [chain, name, bytes.length, await compress(bytes)],
      );
    },
    getBlob: async (chain, name) => {
      const { rows } = await pool.query<{ data: Buffer }>(
        "SELECT data FROM gavel.blobs WHERE chain_id = $1 AND name = $2",
        [chain, name],
      );
      return rows[0] === undefined ? null : await expand(rows[0].data, { maxOutputLength: blobBytesMax });
    },
  };
}
