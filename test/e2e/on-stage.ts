import { afterEach } from "vitest";
import type { Recorded } from "../../demo/recording.ts";
import { pass } from "../../demo/scenarios/pass.ts";
import type { Told } from "../../demo/server.ts";
import { openStage, type Stage } from "../../demo/stage.ts";
import { hasSandbox } from "../needs-sandbox.ts";

export const minuteMilliseconds = 60_000;

let stage: Stage | null = null;

afterEach(async () => {
  const opened = stage;
  stage = null;
  if (opened === null) return;
  try {
    opened.world.assertClean();
  } finally {
    await opened.close();
  }
});

export async function open(recorded: readonly Recorded[], files: Record<string, string> = {}): Promise<Stage> {
  stage = await openStage({ recorded, sandboxed: hasSandbox, files });
  await stage.start();
  return stage;
}

export async function labelledIssue(on: Stage, by = "maintainer"): Promise<number> {
  const { number } = await on.world.openIssue({
    repo: on.repository,
    login: "contributor",
    title: pass.title,
    body: pass.body,
  });
  await on.world.labelIssue(on.repository, number, by, "gavel");
  return number;
}

export const closings = (told: readonly Told[]): string[] =>
  told.flatMap((item) => (item.kind === "event" && item.event.kind === "closed" ? [item.event.outcome] : []));
