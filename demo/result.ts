import type { ChainEvent } from "../src/domain/event.ts";
import { addUsage, noUsage, type Usage } from "../src/domain/usage.ts";
import type { World } from "../test/world/world.ts";
import type { Told } from "./server.ts";

/** What a script reads of a demo. */
export interface Result {
  readonly scenario: string;
  readonly outcome: string;
  readonly runs: number;
  readonly turns: number;
  readonly verdicts: readonly string[];
  readonly gates: readonly { readonly name: string; readonly state: string }[];
  readonly pullRequest: {
    readonly number: number;
    readonly draft: boolean;
    readonly title: string;
    readonly body: string;
    readonly commits: readonly string[];
  } | null;
  readonly comments: readonly { readonly on: number; readonly kind: string }[];
  readonly checkRuns: readonly { readonly conclusion: string | null; readonly title: string | null }[];
  readonly apiCalls: number;
  readonly usage: Usage;
  readonly seconds: number;
}

type Repository = Parameters<World["issue"]>[0];

/** Reads the result off the world (what people see) and off the server's record of the chain (what happened). */
export function collectResult(
  scenario: string,
  told: readonly Told[],
  world: World,
  repository: Repository,
  issue: number,
  seconds: number,
): Result {
  const bySequence = new Map<number, ChainEvent>();
  for (const item of told) if (item.kind === "event") bySequence.set(item.sequence, item.event);
  const events = [...bySequence.entries()].toSorted(([a], [b]) => a - b).map(([, event]) => event);
  const turns = events.filter((event) => event.kind === "turn-finished");
  const rounds = events.filter((event) => event.kind === "judged");
  const verified = events.findLast((event) => event.kind === "verified");
  const published = events.findLast((event) => event.kind === "published");
  const closed = events.findLast((event) => event.kind === "closed");
  const number = published?.pullRequest?.number ?? null;
  const pullRequest = number === null ? null : world.pullRequest(repository, number);
  const commentsOn = (item: number) =>
    world.issue(repository, item).comments.map((comment) => ({
      on: item,
      kind: /^<!-- gavel:([a-z-]+)/.exec(comment.body)?.[1] ?? "other",
    }));
  return {
    scenario,
    outcome: closed?.outcome ?? "failed",
    runs: new Set(turns.map((turn) => turn.run)).size,
    turns: turns.length,
    verdicts: rounds.map((event) => event.round.verdict),
    gates: (verified?.verification.gates ?? []).map((gate) => ({ name: gate.name, state: gate.state })),
    pullRequest:
      pullRequest === null
        ? null
        : {
            number: pullRequest.number,
            draft: pullRequest.draft,
            title: pullRequest.title,
            body: pullRequest.body,
            commits: pullRequest.commits.map((commit) => commit.message),
          },
    comments: [...commentsOn(issue), ...(number === null ? [] : commentsOn(number))],
    checkRuns:
      pullRequest === null
        ? []
        : world
            .checkRuns(repository, pullRequest.headSha)
            .map((run) => ({ conclusion: run.conclusion, title: run.output.title })),
    apiCalls: world.requests.length,
    usage: [...turns, ...rounds].reduce((sum, event) => addUsage(sum, event.usage), noUsage),
    seconds,
  };
}
