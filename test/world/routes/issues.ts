import { type Call, created, forbidden, notFound, ok, refused, type Answer, type RouteTable } from "./route.ts";
import { hasLabel, type Comment, type Issue, type Reaction } from "../state.ts";

/** GitHub's limit on a body, in characters. */
const bodyCharactersMax = 65_536;

const writeIssues = ["issues", "write"] as const;
const readIssues = ["issues", "read"] as const;

function issueOf({ repository, params }: Call): Issue | null {
  return repository.issues.get(Number(params["issue_number"])) ?? null;
}

function findComment({ repository, params }: Call): { issue: Issue; comment: Comment } | null {
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((item) => item.id === Number(params["comment_id"]));
    if (comment !== undefined) return { issue, comment };
  }
  return null;
}

function addReaction(call: Call, reactions: Reaction[]): Answer {
  const content = String(call.body["content"]);
  const shown = (reaction: Reaction): object => ({
    id: reaction.id,
    node_id: "R",
    content,
    created_at: call.state.now(),
    user: call.show.user(reaction.login),
  });
  const known = reactions.find((item) => item.login === call.actor && item.content === content);
  if (known !== undefined) return ok(shown(known));
  const made = { id: call.state.nextId(), login: call.actor, content };
  reactions.push(made);
  return created(shown(made));
}

function createComment(call: Call): Answer {
  const issue = issueOf(call);
  if (issue === null) return notFound;
  const body = String(call.body["body"]);
  if (body.length > bodyCharactersMax) return refused(`Body is too long (maximum is ${bodyCharactersMax} characters)`);
  if (issue.locked) return forbidden("Unable to create comment because issue is locked.");
  const now = call.state.now();
  const comment: Comment = {
    id: call.state.nextId(),
    login: call.actor,
    body,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  };
  issue.comments.push(comment);
  call.events.comment("created", call.repository, issue, comment, call.actor);
  return created(call.show.comment(call.repository, issue, comment));
}

function updateComment(call: Call): Answer {
  const found = findComment(call);
  if (found === null) return notFound;
  const body = String(call.body["body"]);
  if (body.length > bodyCharactersMax) return refused(`Body is too long (maximum is ${bodyCharactersMax} characters)`);
  if (found.comment.login !== call.actor) return forbidden("Resource not accessible by integration");
  found.comment.body = body;
  found.comment.updatedAt = call.state.now();
  call.events.comment("edited", call.repository, found.issue, found.comment, call.actor);
  return ok(call.show.comment(call.repository, found.issue, found.comment));
}

export const issueRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/issues/{issue_number}": {
    needs: readIssues,
    handler: (call) => {
      const issue = issueOf(call);
      return issue === null ? notFound : ok(call.show.issue(call.repository, issue));
    },
  },
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": {
    needs: readIssues,
    handler: (call) => {
      const issue = issueOf(call);
      if (issue === null) return notFound;
      const since = call.query["since"];
      const list = issue.comments.filter((item) => since === undefined || item.updatedAt >= since);
      return { status: 200, list: list.map((item) => call.show.comment(call.repository, issue, item)) };
    },
  },
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": { needs: writeIssues, handler: createComment },
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": { needs: writeIssues, handler: updateComment },
  "POST /repos/{owner}/{repo}/issues/{issue_number}/labels": {
    needs: writeIssues,
    handler: (call) => {
      const issue = issueOf(call);
      if (issue === null) return notFound;
      for (const label of call.body["labels"] as string[]) {
        if (hasLabel(issue.labels, label)) continue;
        issue.labels.push(label);
        call.repository.labels.add(label);
        const more = { label: call.show.label(label) };
        if (issue.pull === null) call.events.issue("labeled", call.repository, issue, call.actor, more);
        else call.events.pull("labeled", call.repository, issue, call.actor, more);
      }
      return ok(issue.labels.map(call.show.label));
    },
  },
  "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}": {
    needs: writeIssues,
    handler: (call) => {
      const issue = issueOf(call);
      const name = call.params["name"] ?? "";
      const index = (issue?.labels ?? []).findIndex((item) => item.toLowerCase() === name.toLowerCase());
      if (issue === null || index === -1) return notFound;
      const [label = name] = issue.labels.splice(index, 1);
      const more = { label: call.show.label(label) };
      if (issue.pull === null) call.events.issue("unlabeled", call.repository, issue, call.actor, more);
      else call.events.pull("unlabeled", call.repository, issue, call.actor, more);
      return ok(issue.labels.map(call.show.label));
    },
  },
  "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions": {
    needs: writeIssues,
    handler: (call) => {
      const issue = issueOf(call);
      return issue === null ? notFound : addReaction(call, issue.reactions);
    },
  },
  "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": {
    needs: writeIssues,
    handler: (call) => {
      const found = findComment(call);
      return found === null ? notFound : addReaction(call, found.comment.reactions);
    },
  },
};
