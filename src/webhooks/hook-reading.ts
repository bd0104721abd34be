import type { MatchedCommand } from "../domain/command.ts";
import type { HookFacts } from "../domain/hook-facts.ts";
import type { Item, Person, SeenAt } from "../domain/trigger.ts";

/** What a payload holds: the facts that relevance depends on, and the texts a chain would work from. */
export interface HookReading {
  readonly facts: HookFacts;
  /** null where the event is about no issue and no pull request. */
  readonly about: {
    readonly item: Item;
    readonly title: string;
    readonly body: string;
    readonly author: string | null;
    readonly url: string;
    /** Of a pull request, where the payload has it. */
    readonly headSha: string | null;
    /** ISO 8601; null where the payload does not say. */
    readonly at: string | null;
  } | null;
  /** Who caused it. */
  readonly person: Person | null;
  /** Id of the GitHub App through which it was caused, or null. */
  readonly viaAppId: number | null;
  /** The label's name, of a label event. */
  readonly label: string | null;
  readonly commentId: number | null;
  readonly seenAt: SeenAt;
}

/** How commands are looked for: cheaply in the door, in the parsed Markdown later. */
export type CommandFinder = (markdown: string) => MatchedCommand | null;

/** Reads one kind of event. null where the payload lacks what it needs. */
export type HookReader = (payload: unknown, findCommand: CommandFinder) => HookReading | null;

interface Subject {
  readonly item: Item;
  readonly title: string;
  readonly body: string;
  readonly user: Person | null;
  readonly html_url: string;
  readonly headSha: string | null;
  readonly updated_at: string | null;
}

/** The texts of an issue or a pull request as they stood in the payload. */
export function aboutSubject(subject: Subject, at = subject.updated_at): NonNullable<HookReading["about"]> {
  return {
    item: subject.item,
    title: subject.title,
    body: subject.body,
    author: subject.user?.login ?? null,
    url: subject.html_url,
    headSha: subject.headSha,
    at,
  };
}

/** A reading of an event on an issue or pull request itself, which is also where it was seen. */
export function readingOf(
  subject: Subject,
  facts: HookFacts,
  person: Person | null,
  label: string | null = null,
): HookReading {
  const seenAt = { kind: "issue", number: subject.item.number } as const;
  return { facts, about: aboutSubject(subject), person, viaAppId: null, label, commentId: null, seenAt };
}
