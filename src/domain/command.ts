import type { Item } from "./trigger.ts";

export type CommandName = "implement" | "judge" | "revise" | "approve" | "cancel" | "status" | "help";

/** One command: where it is understood and what it does, in words for the help comment. */
export interface CommandRow {
  readonly name: CommandName;
  readonly where: readonly Item["kind"][];
  /** What may follow the name; empty where nothing may. */
  readonly argument: string;
  readonly does: string;
}

/** All commands. Data: matching, help and refusals read the same table. */
export const commandTable: readonly CommandRow[] = [
  {
    name: "implement",
    where: ["issue"],
    argument: "[instructions]",
    does: "implements the issue; the instructions join the brief",
  },
  { name: "judge", where: ["pull-request"], argument: "[focus]", does: "judges the pull request; no code is written" },
  {
    name: "revise",
    where: ["pull-request"],
    argument: "[instructions]",
    does: "revises the pull request by its verdict",
  },
  {
    name: "approve",
    where: ["issue", "pull-request"],
    argument: "",
    does: "lets a chain go on that waits for approval",
  },
  { name: "cancel", where: ["issue", "pull-request"], argument: "", does: "stops what is running here" },
  { name: "status", where: ["issue", "pull-request"], argument: "", does: "says how far it is" },
  { name: "help", where: ["issue", "pull-request"], argument: "", does: "lists the commands" },
];

export interface MatchedCommand {
  readonly name: CommandName;
  /** Words behind the name on the same line, trimmed. */
  readonly rest: string;
}

/**
 * The command that a line begins with, or null: `/name` or `/gavel name`, in any case; the name ends at white space or
 * at the line's end. With `required`, only the long form is understood. The caller hands in lines that stand outside
 * quotes and code.
 */
export function matchCommand(line: string, prefix: "optional" | "required"): MatchedCommand | null {
  const match = /^\/(gavel[ \t]+)?(\S+)(?:\s+(.*))?$/is.exec(line);
  if (match === null || (prefix === "required" && match[1] === undefined)) return null;
  const word = match[2]?.toLowerCase();
  const row = commandTable.find(({ name }) => name === word);
  return row === undefined ? null : { name: row.name, rest: (match[3] ?? "").trim() };
}

/** Whether a command is understood on such an item. */
export function isInPlace(name: CommandName, item: Item["kind"]): boolean {
  return commandTable.some((row) => row.name === name && row.where.includes(item));
}

/** The one line that is said where a command stands in the wrong place. It names the command that fits there. */
export function wrongPlace(name: CommandName): string {
  switch (name) {
    case "implement":
      return "`/implement` works on issues; on a pull request, use `/revise` or `/judge`.";
    case "judge":
      return "`/judge` works on pull requests; on an issue, use `/implement`.";
    case "revise":
      return "`/revise` works on pull requests; on an issue, use `/implement`.";
    case "approve":
    case "cancel":
    case "status":
    case "help":
      return `\`/${name}\` works on issues and on pull requests.`;
  }
}
