import type { ChainView } from "./chain-view.ts";
import { progressComment } from "./progress-comment.ts";
import { blocks, code } from "./sections.ts";

/** Answer to `/status`. */
export function statusComment(view: ChainView | null): string {
  return view === null ? "No chain has run here yet. `/help` says how to start one." : progressComment(view);
}

/** Answer to `/help`: one line a command. */
export function helpComment(label: string): string {
  return blocks(
    "### What Gavel does here",
    [
      "| | Where | What happens |",
      "|---|---|---|",
      `| label ${code(label)} | issue | an agent implements it; gates and a judge check it; a pull request or a draft comes of it |`,
      "| `/implement [instructions]` | issue | the same, with instructions |",
      "| `/judge [focus]` | pull request | a verdict comment and a check; no code is written |",
      "| `/approve` | issue | lets a chain go on that waits for approval |",
      "| `/cancel`, label `gavel:stop` | both | stops the chain within seconds |",
      "| `/status`, `/help` | both | one comment |",
    ].join("\n"),
    "A command stands at the start of a line of a new comment. `/gavel judge` is understood as well as `/judge`.",
  );
}
