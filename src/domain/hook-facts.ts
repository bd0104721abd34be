import type { MatchedCommand } from "./command.ts";
import type { Item, Person } from "./trigger.ts";

/** Events of a pull request that `judge.auto` can name. */
export type AutoEvent = "opened" | "ready_for_review" | "synchronize";

/** What a delivery says, normalised: all that its relevance may depend on. `null` persons are deleted accounts. */
export type HookFacts =
  | { readonly kind: "labeled"; readonly item: Item; readonly label: string; readonly sender: Person | null }
  | { readonly kind: "unlabeled"; readonly item: Item; readonly label: string; readonly sender: Person | null }
  /** A new comment, on the item or on a line, with its first command, or null. */
  | {
      readonly kind: "comment-created";
      readonly item: Item;
      readonly author: Person | null;
      readonly command: MatchedCommand | null;
    }
  /** Edited, deleted, minimised. */
  | { readonly kind: "comment-changed"; readonly item: Item }
  | {
      readonly kind: "review-submitted";
      readonly item: Item;
      readonly author: Person | null;
      readonly command: MatchedCommand | null;
    }
  | {
      readonly kind: "item-closed" | "item-deleted" | "item-transferred" | "item-reopened";
      readonly item: Item;
      readonly sender: Person | null;
    }
  | {
      readonly kind: "pull-request-changed";
      readonly event: AutoEvent;
      readonly item: Item;
      readonly author: Person | null;
      readonly sender: Person | null;
      readonly draft: boolean;
    }
  /** The App was uninstalled, suspended, or the repository taken out of the installation. */
  | { readonly kind: "uninstalled" }
  /** Anything else; `name` is the event with its action, for the log. */
  | { readonly kind: "other"; readonly name: string };
