import { addReaction, findComment } from "../acts/comments.ts";
import { findReviewComment } from "../acts/reviews.ts";
import { type Answer, noContent, notFound } from "../api/reply.ts";
import { type RepositoryCall, route, type RouteTable, sharedRoute } from "../api/route-table.ts";
import { showReaction } from "../show/issue.ts";
import type { Reaction } from "../state-issues.ts";
import { withIssue } from "./issues.ts";

/** 201 for a new one, 200 for one that is there already. */
function react({ core, body, actor }: RepositoryCall, reactions: Reaction[]): Answer {
  const { reaction, made } = addReaction(core, reactions, actor, String(body["content"]));
  return { kind: "json", status: made ? 201 : 200, body: showReaction(core, reaction) };
}

const commentOf = ({ repository, params }: RepositoryCall) =>
  findComment(repository, Number(params["comment_id"]))?.comment ?? null;

export const reactionRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions": sharedRoute(
    "write",
    withIssue((call, issue) => react(call, issue.reactions)),
  ),
  "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": sharedRoute("write", (call) => {
    const comment = commentOf(call);
    return comment === null ? notFound : react(call, comment.reactions);
  }),
  "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}": sharedRoute("write", (call) => {
    const reactions = commentOf(call)?.reactions ?? [];
    const index = reactions.findIndex((item) => item.id === Number(call.params["reaction_id"]));
    if (index === -1) return notFound;
    reactions.splice(index, 1);
    return noContent;
  }),
  "POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions": route("pull_requests", "write", (call) => {
    const found = findReviewComment(call.repository, Number(call.params["comment_id"]));
    return found === null ? notFound : react(call, found.comment.reactions);
  }),
};
