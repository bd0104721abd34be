import colors from "picocolors";
import { probeSandbox } from "../src/process/probe-sandbox.ts";
import { collectResult, type Result } from "./result.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import type { Told } from "./server.ts";
import { name, openStage, owner, type Stage } from "./stage.ts";
import { eventLine, openTimeline, type Say } from "./timeline.ts";

/** Longest time of a live chain, in milliseconds: it takes what the model takes. */
const liveMillisecondsMax = 60 * 60_000;

export interface Played {
  readonly result: Result;
  readonly pullRequestText: string | null;
  /** Comments on the issue, oldest first. */
  readonly comments: readonly { readonly author: string; readonly body: string }[];
  readonly url: string;
  close(): Promise<void>;
}

export interface PlayOptions {
  readonly name: string;
  readonly scenario: Scenario;
  /** Key for a real model; null plays the recorded replies. */
  readonly liveKey: string | null;
  readonly quiet: boolean;
}

/** Plays one scenario from the issue to its end. Everything but GitHub itself, and the model unless live, is real. */
export async function play(options: PlayOptions): Promise<Played> {
  const sandbox = await probeSandbox();
  if (sandbox.kind === "unavailable" && options.liveKey !== null) {
    throw new Error(`--live needs the sandbox. ${sandbox.problem.message} ${sandbox.problem.cure}`);
  }
  introduce(options, sandbox.kind === "ready");
  const say = openTimeline(options.quiet);
  const stage = await openStage({
    recorded: options.scenario.recorded,
    sandboxed: sandbox.kind === "ready",
    ...(options.liveKey === null ? {} : { liveKey: options.liveKey }),
    onTold: (item) => show(say, item),
  });
  try {
    return await perform(stage, options, say);
  } catch (error) {
    await stage.close();
    throw error;
  }
}

async function perform(stage: Stage, options: PlayOptions, say: Say): Promise<Played> {
  const { world, repository } = stage;
  const { title, body } = options.scenario;
  await stage.start();
  const began = performance.now();
  const issue = await world.openIssue({ repo: repository, login: "contributor", title, body });
  say(`issue #${issue.number} "${title}" by contributor; maintainer puts the label on`);
  await world.labelIssue(repository, issue.number, "maintainer", "gavel");
  if (options.name === "crash") {
    await killAt(stage, say, "in the middle of run 1", (item) => item.kind === "progress");
    await killAt(stage, say, "before publishing", (item) => item.kind === "decided" && item.step.kind === "publish");
  }
  const isClosed = (item: Told): boolean => item.kind === "event" && item.event.kind === "closed";
  const limit = options.liveKey === null ? undefined : liveMillisecondsMax;
  await stage.waitFor("the end of the chain", () => stage.told.some(isClosed), limit);
  const seconds = (performance.now() - began) / 1000;
  await stage.server().stop();
  await world.deliveriesSettled();
  world.assertClean();
  const result = collectResult(options.name, stage.told, world, repository, issue.number, seconds);
  const pullRequest = result.pullRequest;
  const place = pullRequest === null ? `issues/${issue.number}` : `pull/${pullRequest.number}`;
  return {
    result,
    pullRequestText: pullRequest?.body ?? null,
    comments: world
      .issue(repository, issue.number)
      .comments.map((comment) => ({ author: comment.login, body: comment.body })),
    url: `${world.url}/${owner}/${name}/${place}`,
    close: () => stage.close(),
  };
}

/** Kills the server as a power cut would, as soon as something is seen, and starts it again. */
async function killAt(stage: Stage, say: Say, when: string, seen: (item: Told) => boolean): Promise<void> {
  const from = stage.told.length;
  await stage.waitFor(when, () => stage.told.slice(from).some(seen));
  await stage.server().kill();
  say(colors.red(`SIGKILL ${when}; a new process goes on`));
  await stage.start();
}

function introduce(options: PlayOptions, sandboxed: boolean): void {
  const lines = [
    colors.bold(`Gavel demo · scenario ${options.name}`),
    options.liveKey === null
      ? "The model's replies are RECORDED: no model is called. GitHub is a local double on real git; all else is real."
      : "A real model is called with your key. GitHub is a local double on real git; all else is real.",
    sandboxed
      ? "What the agent and the gates run, runs in a bubblewrap sandbox without network."
      : colors.yellow(
          "bubblewrap is not usable here: the demo runs its own sample WITHOUT a sandbox. Nothing else ever does. (apt-get install bubblewrap)",
        ),
    "",
  ];
  // With --json, standard output is the one line of JSON.
  for (const line of lines) (options.quiet ? console.error : console.log)(line);
}

function show(say: Say, item: Told): void {
  switch (item.kind) {
    case "event": {
      const line = eventLine(item.event);
      if (line !== null) say(line);
      return;
    }
    case "decided":
      say(colors.dim(`→ ${item.step.kind}: ${item.reason}`));
      return;
    case "progress":
      say(colors.dim(`    · ${item.text}`));
      return;
    case "problem":
      say(colors.red(item.text));
      return;
  }
}
