import type { SeenAt } from "../domain/trigger.ts";
import type { GitHub } from "./github.ts";

export type ReactionContent = "eyes" | "confused" | "+1" | "rocket";

/** Puts a reaction on what was seen. GitHub keeps one of each kind for each user, so that a repeat changes nothing. */
export async function react(github: GitHub, at: SeenAt, content: ReactionContent): Promise<void> {
  const { owner, name: repo } = github.repository;
  const { reactions } = github.octokit.rest;
  switch (at.kind) {
    case "issue":
      await reactions.createForIssue({ owner, repo, issue_number: at.number, content });
      return;
    case "comment":
      await reactions.createForIssueComment({ owner, repo, comment_id: at.id, content });
      return;
    case "review-comment":
      await reactions.createForPullRequestReviewComment({ owner, repo, comment_id: at.id, content });
      return;
    case "nowhere":
      return;
  }
}
