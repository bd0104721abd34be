import { mayHoldCommand } from "../commands/parse-commands.ts";
import { isSameLogin } from "../domain/login.ts";
import type { Person } from "../domain/trigger.ts";
import { readHook } from "./events.ts";
import { readRepository } from "./payload.ts";

/** Who we are on GitHub. */
export interface Own {
  readonly appId: number;
  /** With or without `[bot]`. */
  readonly botLogin: string;
}

/**
 * Why a delivery means nothing, as far as its payload alone can tell; null: it has to be stored. Labels and other bots
 * are let through: their names are in the repository's configuration, which would have to be looked up.
 */
export function irrelevance(event: string, action: string | null, payload: unknown, own: Own): string | null {
  const reading = readHook(event, action, payload, mayHoldCommand);
  if (reading === null) return "nothing is done on this event";
  const { facts } = reading;
  switch (facts.kind) {
    case "uninstalled":
      return null;
    case "unlabeled":
    case "comment-changed":
    case "item-reopened":
    case "other":
      return "this starts and stops nothing";
    case "item-closed":
    case "item-deleted":
    case "item-transferred":
      return unreachable(payload);
    case "labeled":
      return unreachable(payload) ?? byNobody(facts.sender, own);
    case "comment-created":
    case "review-submitted":
      if (reading.viaAppId === own.appId) return "it is our own event";
      if (facts.command === null) return "no line begins with a command";
      return unreachable(payload) ?? byNobody(facts.author, own);
    case "pull-request-changed":
      if (facts.draft) return "a draft is not judged by itself";
      if (facts.sender !== null && isSelf(facts.sender, own)) return "it is our own event";
      return unreachable(payload) ?? byNobody(facts.author, own);
  }
}

/** A hook that is not an App's has no installation, and so no way back to the repository. */
function unreachable(payload: unknown): string | null {
  return readRepository(payload) === null ? "it names no repository, or no installation" : null;
}

function byNobody(person: Person | null, own: Own): string | null {
  if (person === null) return "there is no account behind it";
  return isSelf(person, own) ? "it is our own event" : null;
}

/** A person may own an account of the bot's bare name; such a one is a person. */
function isSelf(person: Person, own: Own): boolean {
  return isSameLogin(person.login, own.botLogin) && person.type !== "User";
}
