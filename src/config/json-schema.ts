import { z } from "zod";
import { writtenConfig } from "./written.ts";

/** The text of schema.json beside this file: what editors complete and check `.github/gavel.yml` with. */
export function writeJsonSchema(): string {
  // Editors' YAML servers know draft 7 best.
  const schema = z.toJSONSchema(writtenConfig, { target: "draft-7", io: "input" });
  return `${JSON.stringify({ title: "Gavel's configuration of a repository", ...schema }, null, 2)}\n`;
}
