import type { CheckConclusion } from "../domain/publication.ts";
import { annotationsPerRequestMax } from "../text/limits.ts";
import { findOrCreate } from "./find-or-create.ts";
import type { GitHub } from "./github.ts";

export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string;
  readonly message: string;
}

export interface CheckRun {
  readonly sha: string;
  /** Chain and commit: the same pair is the same check run. */
  readonly externalId: string;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: CheckConclusion | null;
  readonly detailsUrl: string | null;
  readonly output: {
    readonly title: string;
    readonly summary: string;
    readonly text: string;
    readonly annotations: readonly Annotation[];
  };
}

const checkName = "gavel";

/** Creates the chain's check run on a commit, or brings the one that stands there up to date. */
export async function findOrCreateCheckRun(github: GitHub, run: CheckRun): Promise<{ readonly id: number }> {
  const { owner, name: repo } = github.repository;
  const { checks } = github.octokit.rest;
  const [first = [], ...more] = inBatches(run.output.annotations, annotationsPerRequestMax);
  let created = false;
  const { id } = await findOrCreate(
    () => findCheckRun(github, run),
    async () => {
      const { data } = await checks.create({ owner, repo, name: checkName, head_sha: run.sha, ...bodyOf(run, first) });
      created = true;
      return { id: data.id };
    },
  );
  if (!created) await checks.update({ owner, repo, check_run_id: id, ...bodyOf(run, first) });
  for (const batch of more) await checks.update({ owner, repo, check_run_id: id, ...bodyOf(run, batch) });
  return { id };
}

async function findCheckRun(github: GitHub, run: CheckRun): Promise<{ id: number } | null> {
  const { owner, name: repo } = github.repository;
  const { data } = await github.octokit.rest.checks.listForRef({
    owner,
    repo,
    ref: run.sha,
    check_name: checkName,
    filter: "all",
    per_page: 100,
  });
  const ours = data.check_runs.find((item) => item.external_id === run.externalId);
  return ours === undefined ? null : { id: ours.id };
}

function bodyOf(run: CheckRun, annotations: readonly Annotation[]) {
  return {
    external_id: run.externalId,
    ...(run.detailsUrl === null ? {} : { details_url: run.detailsUrl }),
    // GitHub refuses `completed` without a conclusion and takes a conclusion as completion.
    ...(run.status === "completed" && run.conclusion !== null
      ? { status: "completed" as const, conclusion: run.conclusion }
      : { status: run.status === "completed" ? ("in_progress" as const) : run.status }),
    output: {
      title: run.output.title,
      summary: run.output.summary,
      ...(run.output.text === "" ? {} : { text: run.output.text }),
      annotations: annotations.map((item) => ({
        path: item.path,
        start_line: item.startLine,
        end_line: item.endLine,
        annotation_level: item.level,
        title: item.title,
        message: item.message,
      })),
    },
  };
}

function inBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
