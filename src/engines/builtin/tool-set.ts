import { tool } from "ai";
import type { ToolSet } from "ai";
import { z } from "zod";
import type { TurnProgress, TurnRequest } from "../engine.ts";
import type { ToolBox } from "./box.ts";
import { runSecondsMax } from "./tools/run.ts";

const path = z.string().describe("Relative to the workspace.");

/** What the model can ask for. The texts are read by the model: they say what it can not see for itself. */
const reading = {
  read: {
    description:
      "Shows lines of a text file with their numbers. The number and the tab before a line are not part of it.",
    inputSchema: z.object({
      path,
      offset: z.int().min(1).optional().describe("First line, from 1."),
      limit: z.int().min(1).optional().describe("Lines, 400 where left out."),
    }),
  },
  list: {
    description: "Lists a folder; with `recursive` everything below it but .git and node_modules.",
    inputSchema: z.object({ path: path.optional(), recursive: z.boolean().optional() }),
  },
  search: {
    description:
      "Finds lines in text files, as path:line: text. Case counts. Not in .git and node_modules unless named.",
    inputSchema: z.object({
      pattern: z.string().min(1),
      regex: z.boolean().optional().describe("The pattern is a JavaScript regular expression; else plain text."),
      path: path.optional(),
    }),
  },
};

const writing = {
  edit: {
    description: "Replaces one text in a file. `old` must be there exactly once, white space included.",
    inputSchema: z.object({ path, old: z.string(), new: z.string() }),
  },
  write: {
    description: "Writes a whole file, with the folders it needs. For changes in a file use edit.",
    inputSchema: z.object({ path, content: z.string() }),
  },
  run: {
    description:
      "Runs a bash command at the workspace's root. No network, no terminal, no input. What it leaves in the background ends with it.",
    inputSchema: z.object({
      command: z.string().min(1),
      timeout_seconds: z.int().min(1).max(runSecondsMax).optional().describe("120 where left out."),
    }),
  },
};

/** Longest detail of a progress event. */
const detailCharactersMax = 200;

/** The tools of a turn: a judge has none that writes. Each is performed in the box; a failure is told to the model. */
export function makeToolSet(
  mode: TurnRequest["mode"],
  box: ToolBox,
  onProgress: (progress: TurnProgress) => void,
): ToolSet {
  const offered = mode === "implement" ? { ...reading, ...writing } : reading;
  return Object.fromEntries(
    Object.entries(offered).map(([name, { description, inputSchema }]) => [
      name,
      tool({
        description,
        inputSchema: inputSchema as z.ZodType<Record<string, unknown>>,
        async execute(input, { abortSignal }) {
          onProgress({ kind: "tool", name, detail: detailOf(input) });
          const { ok, text } = await box.call(name, input, abortSignal ?? new AbortController().signal);
          if (!ok) throw new Error(text);
          return text;
        },
      }),
    ]),
  );
}

/** What a tool is used on, on one line. */
function detailOf(input: Record<string, unknown>): string {
  const detail = input["command"] ?? input["pattern"] ?? input["path"];
  return typeof detail === "string" ? detail.replaceAll(/\s+/g, " ").trim().slice(0, detailCharactersMax) : "";
}
