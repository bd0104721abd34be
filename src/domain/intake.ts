import { isInPlace, wrongPlace, type CommandName, type MatchedCommand } from "./command.ts";
import type { StopRequested } from "./event.ts";
import type { AutoEvent, HookFacts } from "./hook-facts.ts";
import { isBot, isSameLogin } from "./login.ts";
import type { ChainKind, Item, Permission, Person, Trigger } from "./trigger.ts";

/** Labels with a fixed meaning, whatever the trigger label is called. */
export const judgeLabel = "gavel:judge";
export const stopLabel = "gavel:stop";

/** The rules that an event's relevance depends on. */
export interface IntakeRules {
  /** The trigger label. */
  readonly label: string;
  /** Least permission of a person who triggers. */
  readonly permission: Permission;
  /** Logins of bots that may trigger. */
  readonly bots: readonly string[];
  /** Our own bot's login, with or without `[bot]`. */
  readonly self: string;
  readonly auto: readonly AutoEvent[];
  readonly autoFor: "members" | "everyone";
}

/** Whose permission has to be asked of GitHub, and the least it has to be. */
export interface Demand {
  readonly person: Person;
  readonly needs: Permission;
}

/** What a delivery asks for. Permission is not asked yet: `demand` says of whom and which; null: it is a plain fact. */
export type Intake =
  | { readonly kind: "ignore"; readonly reason: string }
  | {
      readonly kind: "start";
      readonly chain: ChainKind;
      readonly cause: Exclude<Trigger["cause"], "check">;
      /** Words behind the command; empty for a label. */
      readonly instructions: string;
      readonly demand: Demand;
    }
  | {
      readonly kind: "command";
      readonly name: Exclude<CommandName, "implement" | "judge" | "cancel">;
      readonly rest: string;
      readonly demand: Demand;
    }
  /** `says`: the one line that names the right command. */
  | { readonly kind: "wrong-place"; readonly name: CommandName; readonly says: string; readonly demand: Demand }
  | { readonly kind: "stop"; readonly cause: StopRequested["cause"]; readonly demand: Demand | null };

/** Decides whether a delivery matters and what it asks for. Only new labels, comments, reviews and heads can ask. */
export function decideIntake(facts: HookFacts, rules: IntakeRules): Intake {
  switch (facts.kind) {
    case "labeled":
      return fromPerson(facts.sender, rules, (person) => takeLabel(facts.label, facts.item, person, rules));
    case "unlabeled":
      // The bot takes the trigger label off itself: read as a stop, it would end every chain at its start.
      return ignore("taking a label off starts and stops nothing");
    case "comment-created":
    case "review-submitted": {
      const { command } = facts;
      if (command === null) return ignore("it holds no command");
      return fromPerson(facts.author, rules, (person) => takeCommand(command, facts.item, person, rules));
    }
    case "comment-changed":
      return ignore("edited and deleted comments start nothing");
    case "pull-request-changed": {
      if (!rules.auto.includes(facts.event)) return ignore(`judge.auto does not name ${facts.event}`);
      if (facts.draft) return ignore("a draft is not judged by itself");
      if (facts.sender !== null && isSelf(facts.sender, rules)) return ignore("it is our own event");
      return fromPerson(facts.author, rules, (person) => {
        const needs = rules.autoFor === "everyone" ? "none" : rules.permission;
        return { kind: "start", chain: "judge", cause: "auto", instructions: "", demand: { person, needs } };
      });
    }
    // Nobody is asked for the right to do these: they have happened.
    case "item-closed":
    case "item-deleted":
    case "item-transferred":
    case "uninstalled":
      return { kind: "stop", cause: facts.kind, demand: null };
    case "item-reopened":
      return ignore("reopening starts nothing");
    case "other":
      return ignore(`${facts.name} asks for nothing`);
  }
}

function fromPerson(person: Person | null, rules: IntakeRules, decide: (person: Person) => Intake): Intake {
  if (person === null) return ignore("there is no account behind it");
  if (isSelf(person, rules)) return ignore("it is our own event");
  if (isBot(person) && !rules.bots.some((login) => isSameLogin(login, person.login))) {
    return ignore("bots start nothing unless they are allowed by name");
  }
  return decide(person);
}

/** A person may own an account of the bot's bare name; such a one is a person. */
function isSelf(person: Person, rules: IntakeRules): boolean {
  return isSameLogin(person.login, rules.self) && (person.type !== "User" || isBot(person));
}

function takeLabel(label: string, item: Item, person: Person, rules: IntakeRules): Intake {
  const demand = { person, needs: rules.permission };
  if (isSameLabel(label, stopLabel)) return { kind: "stop", cause: "label", demand };
  const start = { kind: "start", cause: "label", instructions: "", demand } as const;
  if (isSameLabel(label, rules.label)) return { ...start, chain: item.kind === "issue" ? "implement" : "judge" };
  if (!isSameLabel(label, judgeLabel)) return ignore("the label means nothing here");
  return item.kind === "pull-request" ? { ...start, chain: "judge" } : ignore("only pull requests can be judged");
}

function takeCommand({ name, rest }: MatchedCommand, item: Item, person: Person, rules: IntakeRules): Intake {
  const demand = { person, needs: rules.permission };
  if (!isInPlace(name, item.kind)) return { kind: "wrong-place", name, says: wrongPlace(name), demand };
  switch (name) {
    case "implement":
    case "judge":
      return { kind: "start", chain: name, cause: "command", instructions: rest, demand };
    case "cancel":
      return { kind: "stop", cause: "command", demand };
    case "revise":
    case "approve":
    case "status":
    case "help":
      return { kind: "command", name, rest, demand };
  }
}

/** GitHub itself keeps labels apart without regard to case. */
function isSameLabel(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function ignore(reason: string): Intake {
  return { kind: "ignore", reason };
}
