/**
 * The built-in engine's hands. It runs in the sandbox as one process for a whole turn and does what the model asks for:
 * a JSON line in, a JSON line out. Plain Node without dependencies, because nothing else is there.
 *
 * Usage: node tool-server.ts implement|judge ROOT
 *        node tool-server.ts search REQUEST        (its own child: see tools/search.ts)
 */
import { realpathSync } from "node:fs";
import { createInterface } from "node:readline";
import { editTool, readTool, writeTool } from "./tools/files.ts";
import type { Input } from "./tools/limits.ts";
import { cutMiddle } from "./tools/limits.ts";
import { listTool } from "./tools/list.ts";
import { killAll, runTool } from "./tools/run.ts";
import { runSearch, searchTool } from "./tools/search.ts";

const [, program = "", mode = "", argument = ""] = process.argv;

if (mode === "search") process.stdout.write(await runSearch(argument));
else serve(realpathSync(argument));

function serve(root: string): void {
  const searchProgram = [process.execPath, program, "search"];
  const reading: Record<string, (input: Input) => Promise<string>> = {
    read: (input) => readTool(root, input),
    list: (input) => listTool(root, input),
    search: (input) => searchTool(root, input, searchProgram),
  };
  const writing: Record<string, (input: Input) => Promise<string>> = {
    edit: (input) => editTool(root, input),
    write: (input) => writeTool(root, input),
    run: (input) => runTool(root, input),
  };
  const tools = mode === "implement" ? { ...reading, ...writing } : reading;
  const tell = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

  async function answer(line: string): Promise<void> {
    const { id, tool, input } = JSON.parse(line) as { id: number; tool: string; input: Input };
    try {
      const perform = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
      if (perform === undefined) throw new Error(`there is no tool "${tool}"`);
      tell({ id, ok: true, text: cutMiddle(await perform(input)) });
    } catch (error) {
      tell({ id, ok: false, text: cutMiddle(error instanceof Error ? error.message : String(error)) });
    }
  }

  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => void answer(line));
  // The engine has gone, or wants an end: nothing that was started may stay.
  lines.on("close", () => {
    killAll();
    process.exit(0);
  });
  tell({ ready: true });
}
