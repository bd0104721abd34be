import { readFile } from "node:fs/promises";
import { z } from "zod";
import { GavelError } from "../errors.ts";
import type { Caller } from "./access.ts";
import type { MessagesRequest } from "./anthropic/request.ts";

/** A reply waits at most this long, in milliseconds. */
export const delayMsMax = 10_000;

const lineSchema = z.strictObject({
  /** `<role>/<name>/run<r>/turn<t>/<n>`, n from 1. */
  key: z.string().min(1),
  /** What the request must look like; left out, anything does. */
  shape: z.string().min(1).optional(),
  /** For people only. */
  request: z.unknown().optional(),
  /** Waits before it answers, so that a process can be killed in the middle of a run. */
  delayMs: z.int().min(0).max(delayMsMax).optional(),
  response: z.strictObject({ status: z.int().min(200).max(599), body: z.record(z.string(), z.unknown()) }),
});

/** One recorded reply: a line of the file. */
export type CassetteLine = z.infer<typeof lineSchema>;

/** Place of a call in a recording. `order` counts from 1 in each granted access: a repeated turn begins again. */
export function keyOf({ role, name, run, turn }: Caller, order: number): string {
  return `${role}/${name}/run${run}/turn${turn}/${order}`;
}

/**
 * What a recorded reply depends on, readable in an error message: model, tools, and the order of the messages (`u`
 * for user, `a` for assistant). The texts are left out: they hold paths, times and ids.
 */
export function shapeOf(request: MessagesRequest): string {
  const tools = [...request.toolNames].toSorted().join(",");
  const roles = request.roles.map((role) => role[0]).join("");
  return `${request.model} tools=${tools} messages=${roles}`;
}

/** Reads a recording; an error names the line. */
export async function readCassette(path: string): Promise<ReadonlyMap<string, CassetteLine>> {
  const fail = (what: string, cause?: unknown) =>
    new GavelError("cassette-unreadable", `${path}: ${what}`, "Record it again, or mend the line.", { cause });
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw fail("the recording can not be read", error);
  });
  const lines = new Map<string, CassetteLine>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = lineSchema.safeParse(parseJson(line));
    if (!parsed.success) throw fail(`line ${index + 1}: ${z.prettifyError(parsed.error).replaceAll("\n", " ")}`);
    if (lines.has(parsed.data.key)) throw fail(`line ${index + 1}: the key "${parsed.data.key}" is there twice`);
    lines.set(parsed.data.key, parsed.data);
  }
  return lines;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
