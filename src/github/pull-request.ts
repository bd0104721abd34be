import type { GitHub } from "./github.ts";
import { findOrCreate } from "./find-or-create.ts";
import { messageOf, statusOf } from "./retry.ts";

export interface PullRequestFacts {
  readonly headSha: string;
  readonly headRef: string;
  readonly baseRef: string;
  readonly state: "open" | "closed";
  readonly fromFork: boolean;
  /** The author belongs to the repository: owner, member or collaborator. */
  readonly authorIsMember: boolean;
}

export async function readPullRequest(github: GitHub, number: number): Promise<PullRequestFacts> {
  const { owner, name: repo, id } = github.repository;
  const { data } = await github.octokit.rest.pulls.get({ owner, repo, pull_number: number });
  return {
    headSha: data.head.sha,
    headRef: data.head.ref,
    baseRef: data.base.ref,
    state: data.state,
    // A deleted fork is null, and is a fork.
    fromFork: data.head.repo?.id !== id,
    authorIsMember: ["OWNER", "MEMBER", "COLLABORATOR"].includes(data.author_association),
  };
}

export interface PullRequestToOpen {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export type OpenedPullRequest =
  | { readonly kind: "opened" | "found"; readonly number: number; readonly url: string; readonly draft: boolean }
  | { readonly kind: "drafts-unsupported" }
  | { readonly kind: "no-commits" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Opens a pull request from a branch that is this chain's alone, once. GitHub itself refuses a second one for the
 * same branch, so that asking and reading the refusal needs no look beforehand.
 */
export async function findOrOpenPullRequest(github: GitHub, wanted: PullRequestToOpen): Promise<OpenedPullRequest> {
  const { owner, name: repo } = github.repository;
  const { pulls } = github.octokit.rest;
  let looked = false;
  const find = async (): Promise<OpenedPullRequest | null> => {
    const { data } = await pulls.list({ owner, repo, head: `${owner}:${wanted.head}`, state: "all", per_page: 10 });
    const found = data.find((item) => item.user?.login === github.botLogin);
    return found === undefined
      ? null
      : { kind: "found", number: found.number, url: found.html_url, draft: found.draft ?? false };
  };
  try {
    return await findOrCreate<OpenedPullRequest>(
      async () => {
        if (!looked) {
          looked = true;
          return null;
        }
        return await find();
      },
      async () => {
        const { data } = await pulls.create({ owner, repo, ...wanted });
        return { kind: "opened", number: data.number, url: data.html_url, draft: data.draft ?? false };
      },
    );
  } catch (error) {
    const message = messageOf(error);
    if (statusOf(error) !== 422 && statusOf(error) !== 403) throw error;
    if (/already exists/i.test(message)) return (await find()) ?? { kind: "refused", reason: message };
    if (/no commits between/i.test(message)) return { kind: "no-commits" };
    if (wanted.draft && /draft/i.test(message)) return { kind: "drafts-unsupported" };
    return { kind: "refused", reason: message };
  }
}

/** Asks people and teams (`org/team`) for a review. Names that GitHub refuses are left out: a review can be asked for by hand. */
export async function requestReviewers(github: GitHub, number: number, names: readonly string[]): Promise<void> {
  const { owner, name: repo } = github.repository;
  try {
    await github.octokit.rest.pulls.requestReviewers({
      owner,
      repo,
      pull_number: number,
      reviewers: names.filter((name) => !name.includes("/")),
      team_reviewers: names.flatMap((name) => (name.includes("/") ? (name.split("/")[1] ?? []) : [])),
    });
  } catch (error) {
    if (statusOf(error) !== 422) throw error;
  }
}
