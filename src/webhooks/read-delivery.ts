import { findCommand } from "../commands/parse-commands.ts";
import type { HookFacts } from "../domain/hook-facts.ts";
import type { ChainKind, Item, RepositoryRef, SeenAt, Trigger } from "../domain/trigger.ts";
import type { Delivery } from "../store/record.ts";
import { readHook } from "./events.ts";
import { readRepository } from "./payload.ts";

/** A stored delivery, read. What depends on the repository's configuration is asked for with it. */
export interface ReadDelivery {
  readonly repository: RepositoryRef;
  readonly item: Item | null;
  readonly seenAt: SeenAt;
  /** The facts, with the command that the comment holds under this rule for commands. */
  facts(prefix: "optional" | "required"): HookFacts;
  /** The trigger that this delivery is. Its brief is the text of this payload: what was seen when it was asked for. */
  trigger(asked: {
    readonly kind: ChainKind;
    readonly cause: Trigger["cause"];
    readonly instructions: string;
  }): Trigger;
}

/** Reads a stored delivery; null where it is about no repository, or is none that is looked at. */
export function readDelivery(delivery: Delivery): ReadDelivery | null {
  const { event, action, payload } = delivery;
  const repository = readRepository(payload);
  const reading = readHook(event, action, payload, () => null);
  if (repository === null || reading === null) return null;
  const { about, person, label, commentId, seenAt } = reading;
  return {
    repository,
    item: about?.item ?? null,
    seenAt,
    facts: (prefix) =>
      readHook(event, action, payload, (markdown) => findCommand(markdown, prefix))?.facts ?? reading.facts,
    trigger: ({ kind, cause, instructions }) => {
      // `decideIntake` asks for work only where both are there.
      if (about === null || person === null) throw new Error(`a ${event} event can not be a trigger`);
      return {
        hookId: delivery.hookId,
        deliveryId: delivery.deliveryId,
        cause,
        kind,
        repository,
        item: about.item,
        person,
        brief: { title: about.title, body: about.body, instructions, author: about.author, url: about.url },
        ...(cause === "label" && label !== null ? { label } : {}),
        commentId,
        seenAt,
        headSha: kind === "judge" ? about.headSha : null,
        at: about.at ?? delivery.receivedAt.toISOString(),
      };
    },
  };
}
