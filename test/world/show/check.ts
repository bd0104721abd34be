import type { Core } from "../core.ts";
import { type Repository } from "../state.ts";
import type { CheckRun, CommitStatus } from "../state-checks.ts";
import { showAccount } from "./account.ts";
import { showApp } from "./app.ts";
import { apiUrl, type Json, nodeId, webUrl } from "./values.ts";

/** Open pull requests whose head is this commit, in short. */
function pullsAt(core: Core, repository: Repository, sha: string): readonly Json[] {
  const short = { id: repository.id, url: apiUrl(core, repository), name: repository.name };
  return [...repository.issues.values()].flatMap((issue) => {
    const { pull } = issue;
    // GitHub leaves out those that come from a fork.
    if (pull === null || issue.state === "closed" || pull.headSha !== sha || pull.headRepository !== repository)
      return [];
    return [
      {
        id: issue.id,
        number: issue.number,
        url: apiUrl(core, repository, `/pulls/${issue.number}`),
        head: { ref: pull.headRef, sha: pull.headSha, repo: short },
        base: { ref: pull.baseRef, sha: pull.baseSha, repo: short },
      },
    ];
  });
}

export function showCheckRun(core: Core, repository: Repository, run: CheckRun): Json {
  const url = apiUrl(core, repository, `/check-runs/${run.id}`);
  const html = webUrl(core, repository, `/runs/${run.id}`);
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("CheckRun", run.id),
    head_sha: run.headSha,
    external_id: run.externalId ?? "",
    url,
    html_url: html,
    details_url: run.detailsUrl ?? html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: showApp(core),
    pull_requests: pullsAt(core, repository, run.headSha),
  };
}

/** A check suite as the webhooks of its runs hold it. */
export function showShortSuite(core: Core, repository: Repository, run: CheckRun): Json {
  const pulls = pullsAt(core, repository, run.headSha);
  const branch = [...repository.toldHeads].find(([, sha]) => sha === run.headSha)?.[0] ?? null;
  return {
    id: run.suiteId,
    node_id: nodeId("CheckSuite", run.suiteId),
    head_branch: branch,
    head_sha: run.headSha,
    status: run.status,
    conclusion: run.conclusion,
    url: apiUrl(core, repository, `/check-suites/${run.suiteId}`),
    before: null,
    after: run.headSha,
    pull_requests: pulls,
    app: showApp(core),
    created_at: run.startedAt,
    updated_at: run.completedAt ?? run.startedAt,
  };
}

/** Annotations as GitHub lists them. */
export function showAnnotation(core: Core, repository: Repository, run: CheckRun, given: Json): Json {
  return {
    start_column: null,
    end_column: null,
    title: null,
    raw_details: null,
    ...given,
    blob_href: webUrl(core, repository, `/blob/${run.headSha}/${String(given["path"])}`),
  };
}

export function showStatus(core: Core, repository: Repository, status: CommitStatus): Json {
  return {
    url: apiUrl(core, repository, `/statuses/${status.sha}`),
    avatar_url: `${core.url}/avatars/u/${core.state.account(core.app.botLogin).id}`,
    id: status.id,
    node_id: nodeId("StatusContext", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: showAccount(core, core.app.botLogin),
  };
}
