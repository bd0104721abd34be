import type { Issue } from "../state.ts";
import { type Call, created, notFound, ok, refused, type Answer, type RouteTable } from "./route.ts";

const read = ["pull_requests", "read"] as const;
const write = ["pull_requests", "write"] as const;

function pullOf({ repository, params }: Call): Issue | null {
  const issue = repository.issues.get(Number(params["pull_number"])) ?? null;
  return issue?.pull === null ? null : issue;
}

function createPull(call: Call): Answer {
  const { repository, body, state, actor } = call;
  const head = String(body["head"]).split(":").at(-1) ?? "";
  const base = String(body["base"]);
  const headSha = repository.git.try(["rev-parse", "--verify", "--quiet", `refs/heads/${head}`]);
  const baseSha = repository.git.try(["rev-parse", "--verify", "--quiet", `refs/heads/${base}`]);
  if (headSha === null || baseSha === null) return refused("head or base does not exist");
  const ahead = repository.git.run(["rev-list", "--count", `${baseSha}..${headSha}`]);
  if (ahead === "0") return refused(`No commits between ${base} and ${head}`);
  const open = [...repository.issues.values()].some((item) => item.state === "open" && item.pull?.headRef === head);
  if (open) return refused(`A pull request already exists for ${repository.owner}:${head}.`);
  if (body["draft"] === true && !repository.draftsSupported) {
    return refused("Draft pull requests are not supported in this repository.");
  }
  const number = Math.max(0, ...repository.issues.keys()) + 1;
  const now = state.now();
  const issue: Issue = {
    id: state.nextId(),
    number,
    title: String(body["title"]),
    body: (body["body"] as string | undefined) ?? null,
    login: actor,
    labels: [],
    state: "open",
    locked: false,
    createdAt: now,
    updatedAt: now,
    comments: [],
    reactions: [],
    pull: {
      headRef: head,
      headRepository: repository,
      headSha,
      baseRef: base,
      baseSha,
      draft: body["draft"] === true,
      merged: false,
      requestedReviewers: [],
    },
  };
  repository.issues.set(number, issue);
  repository.git.run(["update-ref", `refs/pull/${number}/head`, headSha]);
  call.events.pull("opened", repository, issue, actor);
  return created(call.show.pull(repository, issue));
}

export const pullRoutes: RouteTable = {
  "GET /repos/{owner}/{repo}/pulls": {
    needs: read,
    handler: ({ repository, query, show }) => {
      const wanted = query["state"] ?? "open";
      const head = query["head"]?.split(":").at(-1);
      const list = [...repository.issues.values()].filter(
        (item) =>
          item.pull !== null &&
          (wanted === "all" || item.state === wanted) &&
          (head === undefined || item.pull.headRef === head),
      );
      return { status: 200, list: list.toReversed().map((item) => show.pull(repository, item)) };
    },
  },
  "POST /repos/{owner}/{repo}/pulls": { needs: write, handler: createPull },
  "GET /repos/{owner}/{repo}/pulls/{pull_number}": {
    needs: read,
    handler: (call) => {
      const issue = pullOf(call);
      return issue === null ? notFound : ok(call.show.pull(call.repository, issue));
    },
  },
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": {
    needs: write,
    handler: (call) => {
      const issue = pullOf(call);
      if (issue?.pull == null) return notFound;
      issue.pull.requestedReviewers.push(...((call.body["reviewers"] as string[] | undefined) ?? []));
      return created(call.show.pull(call.repository, issue));
    },
  },
};
