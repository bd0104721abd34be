import type { Core } from "../core.ts";
import { tellComment } from "../hooks/events.ts";
import type { Repository } from "../state.ts";
import type { Comment, Issue, Reaction } from "../state-issues.ts";

export function addComment(core: Core, repository: Repository, issue: Issue, login: string, body: string): Comment {
  core.state.account(login);
  const now = core.state.now();
  const comment: Comment = { id: core.state.nextId(), login, body, createdAt: now, updatedAt: now, reactions: [] };
  issue.comments.push(comment);
  issue.updatedAt = now;
  tellComment(core, repository, issue, comment, "created", login);
  return comment;
}

export function findComment(repository: Repository, id: number): { issue: Issue; comment: Comment } | null {
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((item) => item.id === id);
    if (comment !== undefined) return { issue, comment };
  }
  return null;
}

export function editComment(
  core: Core,
  repository: Repository,
  issue: Issue,
  comment: Comment,
  login: string,
  body: string,
): void {
  const from = comment.body;
  if (from === body) return;
  comment.body = body;
  comment.updatedAt = core.state.now();
  tellComment(core, repository, issue, comment, "edited", login, { changes: { body: { from } } });
}

export function deleteComment(core: Core, repository: Repository, issue: Issue, comment: Comment, login: string): void {
  issue.comments.splice(issue.comments.indexOf(comment), 1);
  tellComment(core, repository, issue, comment, "deleted", login);
}

/** Each account has each reaction once: asked for again, the first one is found. */
export function addReaction(
  core: Core,
  reactions: Reaction[],
  login: string,
  content: string,
): { readonly reaction: Reaction; readonly made: boolean } {
  const known = reactions.find((item) => item.login === login && item.content === content);
  if (known !== undefined) return { reaction: known, made: false };
  const reaction: Reaction = { id: core.state.nextId(), login, content, createdAt: core.state.now() };
  reactions.push(reaction);
  return { reaction, made: true };
}
