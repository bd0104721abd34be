import type { Core } from "../core.ts";
import { ghost, type Repository, sameName } from "../state.ts";
import type { Comment, Issue, IssueEvent, Label, Reaction } from "../state-issues.ts";
import { showAccount, showAssociation } from "./account.ts";
import { showApp } from "./app.ts";
import { apiUrl, type Json, nodeId, webUrl } from "./values.ts";

export function showLabel(core: Core, repository: Repository, label: Label): Json {
  return {
    id: label.id,
    node_id: nodeId("Label", label.id),
    url: apiUrl(core, repository, `/labels/${encodeURIComponent(label.name)}`),
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function showLabels(core: Core, repository: Repository, names: readonly string[]): readonly Json[] {
  return names.flatMap((name) => {
    const label = repository.labels.get(name.toLowerCase());
    return label === undefined ? [] : [showLabel(core, repository, label)];
  });
}

export function showReaction(core: Core, reaction: Reaction): Json {
  return {
    id: reaction.id,
    node_id: nodeId("Reaction", reaction.id),
    user: showAccount(core, reaction.login),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

export const reactionContents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

export function showReactions(url: string, reactions: readonly Reaction[]): Json {
  const counts = reactionContents.map((content) => [
    content,
    reactions.filter((item) => item.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...(Object.fromEntries(counts) as Json) };
}

/** The App, where its bot wrote something. */
export function showVia(core: Core, login: string | null): Json | null {
  return login !== null && sameName(login, core.app.botLogin) ? showApp(core) : null;
}

export function issuePath(issue: Issue): string {
  return `/${issue.pull === null ? "issues" : "pull"}/${issue.number}`;
}

export function showIssue(core: Core, repository: Repository, issue: Issue): Json {
  const url = apiUrl(core, repository, `/issues/${issue.number}`);
  return {
    url,
    repository_url: apiUrl(core, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: webUrl(core, repository, issuePath(issue)),
    id: issue.id,
    node_id: nodeId(issue.pull === null ? "Issue" : "PullRequest", issue.id),
    number: issue.number,
    title: issue.title,
    user: showAccount(core, issue.login),
    labels: showLabels(core, repository, issue.labels),
    state: issue.state,
    state_reason: issue.state === "closed" && issue.pull === null ? "completed" : null,
    locked: issue.locked,
    active_lock_reason: null,
    assignee: showAccount(core, issue.assignees[0] ?? null),
    assignees: issue.assignees.map((login) => showAccount(core, login)),
    milestone: null,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: showAssociation(repository, issue.login),
    body: issue.body,
    reactions: showReactions(url, issue.reactions),
    performed_via_github_app: showVia(core, issue.login),
    ...(issue.pull === null ? {} : { draft: issue.pull.draft, pull_request: pullLinks(core, repository, issue) }),
  };
}

function pullLinks(core: Core, repository: Repository, issue: Issue): Json {
  const html = webUrl(core, repository, issuePath(issue));
  return {
    url: apiUrl(core, repository, `/pulls/${issue.number}`),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    merged_at: issue.pull?.merge?.at ?? null,
  };
}

export function showComment(core: Core, repository: Repository, issue: Issue, comment: Comment): Json {
  const url = apiUrl(core, repository, `/issues/comments/${comment.id}`);
  return {
    url,
    html_url: webUrl(core, repository, `${issuePath(issue)}#issuecomment-${comment.id}`),
    issue_url: apiUrl(core, repository, `/issues/${issue.number}`),
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    user: showAccount(core, comment.login === ghost ? null : comment.login),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: showAssociation(repository, comment.login),
    body: comment.body,
    reactions: showReactions(url, comment.reactions),
    performed_via_github_app: showVia(core, comment.login),
  };
}

export function showIssueEvent(core: Core, repository: Repository, event: IssueEvent): Json {
  return {
    id: event.id,
    node_id: nodeId("IssueEvent", event.id),
    url: apiUrl(core, repository, `/issues/events/${event.id}`),
    actor: showAccount(core, event.login),
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: event.createdAt,
    performed_via_github_app: showVia(core, event.login),
    ...event.more,
  };
}
