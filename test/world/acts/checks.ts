import type { Core } from "../core.ts";
import { tellCheckRun } from "../hooks/events.ts";
import type { Repository } from "../state.ts";
import type { CheckRun } from "../state-checks.ts";

export interface WantedRun {
  readonly name?: string;
  readonly external_id?: string;
  readonly details_url?: string;
  readonly status?: string;
  readonly conclusion?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly output?: {
    readonly title?: string;
    readonly summary: string;
    readonly text?: string;
    readonly annotations?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly actions?: readonly unknown[];
}

export function makeRun(core: Core, repository: Repository, sha: string, wanted: WantedRun): CheckRun {
  const suiteId = repository.checkSuites.get(sha) ?? core.state.nextId();
  repository.checkSuites.set(sha, suiteId);
  const run: CheckRun = {
    id: core.state.nextId(),
    suiteId,
    name: wanted.name ?? "",
    headSha: sha,
    externalId: null,
    status: "queued",
    conclusion: null,
    detailsUrl: null,
    startedAt: wanted.started_at ?? core.state.now(),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  repository.checkRuns.push(run);
  change(core, run, wanted);
  tellCheckRun(core, repository, run, "created", core.app.botLogin);
  if (run.status === "completed") tellCheckRun(core, repository, run, "completed", core.app.botLogin);
  return run;
}

export function updateRun(core: Core, repository: Repository, run: CheckRun, wanted: WantedRun): void {
  const wasCompleted = run.status === "completed";
  change(core, run, wanted);
  if (run.status === "completed" && !wasCompleted) {
    tellCheckRun(core, repository, run, "completed", core.app.botLogin);
  }
}

/** Applies what was sent. Annotations add up over requests, and a conclusion completes the run, as on GitHub. */
function change(core: Core, run: CheckRun, wanted: WantedRun): void {
  const { output } = wanted;
  if (wanted.name !== undefined) run.name = wanted.name;
  if (wanted.external_id !== undefined) run.externalId = wanted.external_id;
  if (wanted.details_url !== undefined) run.detailsUrl = wanted.details_url;
  if (wanted.started_at !== undefined) run.startedAt = wanted.started_at;
  if (wanted.actions !== undefined) run.actions = wanted.actions;
  if (output !== undefined) {
    run.output = { title: output.title ?? null, summary: output.summary, text: output.text ?? null };
    run.annotations.push(...(output.annotations ?? []));
  }
  if (wanted.status !== undefined && wanted.status !== "completed") {
    run.status = wanted.status;
    run.conclusion = null;
    run.completedAt = null;
  }
  if (wanted.conclusion !== undefined) {
    run.status = "completed";
    run.conclusion = wanted.conclusion;
    run.completedAt = wanted.completed_at ?? core.state.now();
  }
}
