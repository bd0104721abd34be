import type { CheckRun } from "../state.ts";
import { type Call, created, notFound, ok, refused, type Answer, type RouteTable } from "./route.ts";

const read = ["checks", "read"] as const;
const write = ["checks", "write"] as const;

/** GitHub's limit on the annotations of one request. */
const annotationsMax = 50;

function apply(run: CheckRun, body: Record<string, unknown>): Answer | null {
  const output = body["output"] as
    | { title?: string; summary?: string; text?: string; annotations?: unknown[] }
    | undefined;
  const annotations = output?.annotations ?? [];
  if (annotations.length > annotationsMax) return refused(`No more than ${annotationsMax} annotations are permitted`);
  run.annotations.push(...annotations);
  if (output !== undefined) {
    run.output = { title: output.title ?? null, summary: output.summary ?? null, text: output.text ?? null };
  }
  if (body["external_id"] !== undefined) run.externalId = String(body["external_id"]);
  if (body["details_url"] !== undefined) run.detailsUrl = String(body["details_url"]);
  if (body["status"] !== undefined) run.status = String(body["status"]);
  if (body["conclusion"] !== undefined) {
    run.conclusion = String(body["conclusion"]);
    run.status = "completed";
  }
  return null;
}

function createRun(call: Call): Answer {
  const sha = String(call.body["head_sha"]);
  if (call.repository.git.try(["cat-file", "-e", `${sha}^{commit}`]) === null)
    return refused(`No commit found for SHA: ${sha}`);
  const run: CheckRun = {
    id: call.state.nextId(),
    name: String(call.body["name"]),
    headSha: sha,
    externalId: null,
    status: "queued",
    conclusion: null,
    detailsUrl: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  const problem = apply(run, call.body);
  if (problem !== null) return problem;
  call.repository.checkRuns.push(run);
  return created(call.show.checkRun(call.repository, run));
}

export const checkRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/check-runs": { needs: write, handler: createRun },
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": {
    needs: write,
    handler: (call) => {
      const run = call.repository.checkRuns.find((item) => item.id === Number(call.params["check_run_id"]));
      if (run === undefined) return notFound;
      return apply(run, call.body) ?? ok(call.show.checkRun(call.repository, run));
    },
  },
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": {
    needs: read,
    handler: ({ repository, params, query, show }) => {
      const sha = repository.git.try(["rev-parse", "--verify", "--quiet", `${params["ref"]}^{commit}`]);
      const name = query["check_name"];
      const list = repository.checkRuns.filter(
        (run) => run.headSha === sha && (name === undefined || run.name === name),
      );
      return {
        status: 200,
        list: list.map((run) => show.checkRun(repository, run)),
        wrap: (page, total) => ({ total_count: total, check_runs: page }),
      };
    },
  },
};
