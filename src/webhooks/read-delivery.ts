import { findCommand } from "../commands/parse-commands.ts";
import type { ChainKind, Item, RepositoryRef, SeenAt, Trigger } from "../domain/trigger.ts";
import type { HookFacts } from "../domain/hook-facts.ts";
import type { Delivery } from "../store/record.ts";
import { readHook } from "./events.ts";
import { readRepository } from "./payload.ts";

/** What a stored delivery holds. How commands are written is the repository's own setting, so facts are read by it. */
export interface ReadDelivery {
  readonly repository: RepositoryRef;
  readonly item: Item | null;
  readonly seenAt: SeenAt;
  facts(prefix: "optional" | "required"): HookFacts;
  trigger(asked: {
    readonly kind: ChainKind;
    readonly cause: Trigger["cause"];
    readonly instructions: string;
  }): Trigger;
}

/** Reads a stored delivery; null where it is about no repository of an installation, or lacks what its event needs. */
export function readDelivery(delivery: Delivery): ReadDelivery | null {
  const { event, action, payload } = delivery;
  const read = (prefix: "optional" | "required") =>
    readHook(event, action, payload, (text) => findCommand(text, prefix));
  const reading = read("optional");
  const repository = readRepository(payload);
  if (reading === null || repository === null) return null;
  const { about } = reading;
  return {
    repository,
    item: about?.item ?? null,
    seenAt: reading.seenAt,
    facts: (prefix) => read(prefix)?.facts ?? reading.facts,
    trigger({ kind, cause, instructions }) {
      if (about === null || reading.person === null) throw new Error("a trigger is always about an item, by a person");
      return {
        hookId: delivery.hookId,
        deliveryId: delivery.deliveryId,
        cause,
        kind,
        repository,
        item: about.item,
        person: reading.person,
        brief: { title: about.title, body: about.body, instructions, author: about.author, url: about.url },
        ...(reading.facts.kind === "labeled" ? { label: reading.facts.label } : {}),
        commentId: reading.commentId,
        seenAt: reading.seenAt,
        headSha: about.headSha,
        at: about.at ?? delivery.receivedAt.toISOString(),
      };
    },
  };
}
