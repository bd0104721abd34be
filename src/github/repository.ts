import type { GitHub } from "./github.ts";
import { statusOf } from "./retry.ts";

export interface RepositoryFacts {
  readonly defaultBranch: string;
  readonly archived: boolean;
}

/** The repository as it is now: names and branches can have changed since the trigger. */
export async function readRepository(github: GitHub): Promise<RepositoryFacts> {
  const { owner, name: repo } = github.repository;
  const { data } = await github.octokit.rest.repos.get({ owner, repo });
  return { defaultBranch: data.default_branch, archived: data.archived };
}

/** Head of a branch; null where there is no such branch. */
export async function readBranch(github: GitHub, branch: string): Promise<{ readonly commit: string } | null> {
  const { owner, name: repo } = github.repository;
  try {
    const { data } = await github.octokit.rest.repos.getBranch({ owner, repo, branch });
    return { commit: data.commit.sha };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
