import { pass } from "../demo/scenarios/pass.ts";
import type { Told } from "../demo/server.ts";
import { openStage, type Stage } from "../demo/stage.ts";
import { probeSandbox } from "../src/process/probe-sandbox.ts";
import { figure, type Figures } from "./figure.ts";

/** Where a passing chain on the sample repository spends its time, the model's replies coming at once, in seconds. */
interface Split {
  readonly firstComment: number;
  readonly turn: number;
  readonly gates: number;
  readonly judge: number;
  readonly publish: number;
  readonly total: number;
  readonly apiCalls: number;
}

/**
 * The chain's overhead: all of its time but the gates' own and the engine's turn. The first run warms up and is not
 * counted: the demo's server has just been started.
 */
export async function chainSmall(runs: number): Promise<Figures> {
  const sandboxed = (await probeSandbox()).kind === "ready";
  const stage = await openStage({ recorded: pass.recorded, sandboxed });
  try {
    await stage.start();
    const splits: Split[] = [];
    for (let run = 0; run <= runs; run++) splits.push(await playOnce(stage));
    const counted = splits.slice(1);
    const of = (pick: (split: Split) => number) => figure(counted.map(pick), "s");
    return {
      "seen.first": of((split) => split.firstComment),
      "chain.small": of((split) => split.total),
      "chain.small.turn": of((split) => split.turn),
      "chain.small.gates": of((split) => split.gates),
      "chain.small.judge": of((split) => split.judge),
      "chain.small.publish": of((split) => split.publish),
      "chain.small.overhead": of((split) => split.total - split.turn - split.gates),
      "chain.apiCalls": figure(
        counted.map((split) => split.apiCalls),
        "calls",
      ),
    };
  } finally {
    await stage.close();
  }
}

async function playOnce(stage: Stage): Promise<Split> {
  const { world, repository } = stage;
  const from = stage.told.length;
  const callsBefore = world.requests.length;
  const { number } = await world.openIssue({
    repo: repository,
    login: "contributor",
    title: pass.title,
    body: pass.body,
  });
  await world.deliveriesSettled();
  const began = Date.now();
  await world.labelIssue(repository, number, "maintainer", "gavel");
  const events = (): Extract<Told, { kind: "event" }>[] =>
    stage.told.slice(from).filter((item): item is Extract<Told, { kind: "event" }> => item.kind === "event");
  await stage.waitFor("the end", () => events().some((item) => item.event.kind === "closed"));
  const at = (kind: string): number => (events().find((item) => item.event.kind === kind)?.at ?? began) - began;
  const seconds = (from: number, to: number): number => (to - from) / 1000;
  const gateSeconds = events().flatMap((item) => (item.event.kind === "verified" ? item.event.verification.gates : []));
  return {
    firstComment: at("announced") / 1000,
    turn: seconds(at("prepared"), at("turn-finished")),
    gates: gateSeconds.reduce((sum, gate) => sum + gate.seconds, 0),
    judge: seconds(at("verified"), at("judged")),
    publish: seconds(at("judged"), at("published")),
    total: at("closed") / 1000,
    apiCalls: world.requests.length - callsBefore,
  };
}
