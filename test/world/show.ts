import type { CheckRun, Comment, Issue, Repository, State } from "./state.ts";

/** How the world's things look in replies and webhooks: only what means something; the rest is filled in by schema. */
export interface Shower {
  user(login: string | null): unknown;
  repository(repository: Repository): Record<string, unknown>;
  issue(repository: Repository, issue: Issue): Record<string, unknown>;
  comment(repository: Repository, issue: Issue, comment: Comment): Record<string, unknown>;
  pull(repository: Repository, issue: Issue): Record<string, unknown>;
  checkRun(repository: Repository, run: CheckRun): Record<string, unknown>;
  commit(repository: Repository, sha: string): Record<string, unknown>;
  gitCommit(repository: Repository, sha: string): Record<string, unknown>;
  label(name: string): Record<string, unknown>;
}

const levels = ["none", "read", "triage", "write", "maintain", "admin"];

export function openShower(state: State, url: string, app: { readonly id: number; readonly slug: string }): Shower {
  const api = `${url}/api/v3`;
  const at = (repository: Repository): string => `${repository.owner}/${repository.name}`;
  const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}:${id}`).toString("base64");

  const user = (login: string | null): unknown => {
    if (login === null) return null;
    const account = state.account(login);
    return {
      login: account.login,
      id: account.id,
      node_id: nodeId("User", account.id),
      type: account.type,
      site_admin: false,
      url: `${api}/users/${encodeURIComponent(account.login)}`,
      html_url: `${url}/${encodeURIComponent(account.login)}`,
    };
  };
  const label = (name: string): Record<string, unknown> => ({
    id: 1,
    node_id: nodeId("Label", 1),
    url: `${api}/labels/${encodeURIComponent(name)}`,
    name,
    color: "ededed",
    default: false,
    description: null,
  });
  const association = (repository: Repository, login: string | null): string => {
    const role = levels.indexOf(repository.roles.get((login ?? "").toLowerCase()) ?? "none");
    return role >= levels.indexOf("triage") ? "COLLABORATOR" : "NONE";
  };
  const repositoryOf = (repository: Repository): Record<string, unknown> => ({
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: at(repository),
    private: repository.isPrivate,
    visibility: repository.isPrivate ? "private" : "public",
    owner: { ...(user(repository.owner) as object), type: "Organization" },
    url: `${api}/repos/${at(repository)}`,
    html_url: `${url}/${at(repository)}`,
    clone_url: `${url}/${at(repository)}.git`,
    default_branch: repository.defaultBranch,
    archived: repository.archived,
    fork: false,
    disabled: false,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    pushed_at: "2026-01-01T00:00:00Z",
  });
  const issueOf = (repository: Repository, issue: Issue): Record<string, unknown> => {
    const path = `${at(repository)}/issues/${issue.number}`;
    return {
      id: issue.id,
      node_id: nodeId("Issue", issue.id),
      number: issue.number,
      title: issue.title,
      body: issue.body,
      user: user(issue.login),
      labels: issue.labels.map(label),
      state: issue.state,
      locked: issue.locked,
      assignees: [],
      milestone: null,
      comments: issue.comments.length,
      created_at: issue.createdAt,
      updated_at: issue.updatedAt,
      closed_at: issue.state === "closed" ? issue.updatedAt : null,
      author_association: association(repository, issue.login),
      url: `${api}/repos/${path}`,
      repository_url: `${api}/repos/${at(repository)}`,
      html_url: `${url}/${at(repository)}/${issue.pull === null ? "issues" : "pull"}/${issue.number}`,
      ...(issue.pull === null
        ? {}
        : {
            draft: issue.pull.draft,
            pull_request: {
              url: `${api}/repos/${at(repository)}/pulls/${issue.number}`,
              html_url: `${url}/${at(repository)}/pull/${issue.number}`,
              diff_url: `${url}/${at(repository)}/pull/${issue.number}.diff`,
              patch_url: `${url}/${at(repository)}/pull/${issue.number}.patch`,
              merged_at: null,
            },
          }),
    };
  };
  const people = (git: Repository["git"], sha: string) => {
    const [an = "", ae = "", cn = "", ce = ""] = git
      .run(["show", "-s", "--format=%an%x00%ae%x00%cn%x00%ce", sha])
      .split("\0");
    return {
      author: { name: an, email: ae, date: "2026-01-01T00:00:00Z" },
      committer: { name: cn, email: ce, date: "2026-01-01T00:00:00Z" },
    };
  };
  const gitCommit = (repository: Repository, sha: string): Record<string, unknown> => {
    const { git } = repository;
    const [tree = "", parents = ""] = git.run(["show", "-s", "--format=%T%n%P", sha]).split("\n");
    const signed = people(git, sha).author.name === `${app.slug}[bot]`;
    return {
      sha,
      node_id: `C_${sha}`,
      message: git.bytes(["show", "-s", "--format=%B", sha]).toString("utf8").trimEnd(),
      ...people(git, sha),
      tree: { sha: tree, url: `${api}/repos/${at(repository)}/git/trees/${tree}` },
      parents: parents
        .split(" ")
        .filter((parent) => parent !== "")
        .map((parent) => ({ sha: parent, url: `${api}/c/${parent}`, html_url: `${url}/c/${parent}` })),
      verification: {
        verified: signed,
        reason: signed ? "valid" : "unsigned",
        signature: null,
        payload: null,
        verified_at: null,
      },
      url: `${api}/repos/${at(repository)}/git/commits/${sha}`,
      html_url: `${url}/${at(repository)}/commit/${sha}`,
    };
  };
  return {
    user,
    label,
    repository: repositoryOf,
    issue: issueOf,
    gitCommit,
    comment: (repository, issue, comment) => ({
      id: comment.id,
      node_id: nodeId("IssueComment", comment.id),
      body: comment.body,
      user: user(comment.login),
      created_at: comment.createdAt,
      updated_at: comment.updatedAt,
      author_association: association(repository, comment.login),
      url: `${api}/repos/${at(repository)}/issues/comments/${comment.id}`,
      html_url: `${url}/${at(repository)}/${issue.pull === null ? "issues" : "pull"}/${issue.number}#issuecomment-${comment.id}`,
      issue_url: `${api}/repos/${at(repository)}/issues/${issue.number}`,
      performed_via_github_app: null,
    }),
    pull(repository, issue) {
      const { pull } = issue;
      if (pull === null) throw new Error(`#${issue.number} is no pull request`);
      const head = pull.headRepository;
      return {
        ...issueOf(repository, issue),
        url: `${api}/repos/${at(repository)}/pulls/${issue.number}`,
        draft: pull.draft,
        merged: pull.merged,
        mergeable: true,
        mergeable_state: "clean",
        head: {
          label: `${head?.owner ?? "unknown"}:${pull.headRef}`,
          ref: pull.headRef,
          sha: pull.headSha,
          repo: head === null ? null : repositoryOf(head),
          user: user(head?.owner ?? repository.owner),
        },
        base: {
          label: `${repository.owner}:${pull.baseRef}`,
          ref: pull.baseRef,
          sha: pull.baseSha,
          repo: repositoryOf(repository),
          user: user(repository.owner),
        },
        requested_reviewers: pull.requestedReviewers.map(user),
        requested_teams: [],
        auto_merge: null,
        merge_commit_sha: null,
        merged_at: null,
      };
    },
    checkRun: (repository, run) => ({
      id: run.id,
      node_id: nodeId("CheckRun", run.id),
      name: run.name,
      head_sha: run.headSha,
      external_id: run.externalId,
      status: run.status,
      conclusion: run.conclusion,
      details_url: run.detailsUrl,
      url: `${api}/repos/${at(repository)}/check-runs/${run.id}`,
      html_url: `${url}/${at(repository)}/runs/${run.id}`,
      started_at: "2026-01-01T00:00:00Z",
      completed_at: run.conclusion === null ? null : "2026-01-01T00:00:00Z",
      output: {
        ...run.output,
        annotations_count: run.annotations.length,
        annotations_url: `${api}/annotations/${run.id}`,
      },
      check_suite: null,
      app: null,
      pull_requests: [],
    }),
    commit: (repository, sha) => ({
      sha,
      commit: gitCommit(repository, sha),
      author: null,
      committer: null,
      parents: gitCommit(repository, sha)["parents"],
      url: `${api}/repos/${at(repository)}/commits/${sha}`,
      html_url: `${url}/${at(repository)}/commit/${sha}`,
    }),
  };
}
