import { stat } from "node:fs/promises";
import type { Input } from "./limits.ts";
import { refuse, resultCharactersMax, textOf } from "./limits.ts";
import { findPlace } from "./paths.ts";
import type { Entry } from "./walk.ts";
import { walk } from "./walk.ts";

const marks: Readonly<Record<Entry["kind"], string>> = { file: "", folder: "/", link: " (link)", other: " (special)" };

/** Names in a folder, or all names below it. */
export async function listTool(root: string, input: Input): Promise<string> {
  const { name, real } = await findPlace(root, textOf(input, "path", "."));
  const found = await stat(real).catch(() => refuse(`${name} does not exist`));
  if (!found.isDirectory()) return refuse(`${name} is not a folder`);
  let shown = "";
  for await (const entry of walk(real, input["recursive"] === true)) {
    if (shown.length + entry.name.length > resultCharactersMax - 100)
      return `${shown}[more is left out; list a folder of it]`;
    shown += `${entry.name}${marks[entry.kind]}\n`;
  }
  return shown === "" ? `${name} is empty` : shown;
}
