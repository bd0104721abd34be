import { cutAtWord, oneLine, titleCharactersMax } from "./title.ts";
import type { Person } from "./trigger.ts";

/**
 * The message of the one commit of a run: a subject and trailers by which the commit is found to be ours. The subject
 * is somebody else's text: in it nothing closes an issue, calls a person or keeps a check from running.
 */
export function commitMessage(commit: {
  readonly title: string;
  readonly number: number;
  readonly chain: string;
  readonly run: 1 | 2;
  /** The person who triggered. */
  readonly person: Person;
  readonly signOff: boolean;
}): string {
  const prefix = commit.run === 2 ? "Revise: " : "";
  const subject = prefix + cutAtWord(inert(oneLine(commit.title)), titleCharactersMax - prefix.length);
  const login = trailerValue(commit.person.login).replaceAll(/[^A-Za-z0-9_[\]-]/g, "");
  const who = `${login} <${login}@users.noreply.github.com>`;
  const trailers = [
    `Gavel-Chain: ${trailerValue(commit.chain)}`,
    `Gavel-Run: ${commit.run}`,
    ...(login === "" ? [] : [`Co-authored-by: ${who}`]),
    ...(commit.signOff && login !== "" ? [`Signed-off-by: ${who}`] : []),
  ];
  return `${subject}\n\nFor issue ${commit.number}.\n\n${trailers.join("\n")}\n`;
}

/** One line, so that no value can bring a trailer of its own. */
function trailerValue(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}

/** References, links and mentions without the signs that make GitHub act on them. No deletion leaves a new one. */
function inert(line: string): string {
  const quiet = line
    .replaceAll(/[#@]+(?=[A-Za-z0-9])/g, "")
    .replaceAll(/\bgh-(?=\d)/gi, "GH ")
    .replaceAll("://", ": ")
    .trim();
  return quiet === "" ? "Change without a title" : quiet;
}
