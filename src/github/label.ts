import type { GitHub } from "./github.ts";
import { statusOf } from "./retry.ts";

/** Adds labels; GitHub keeps each once. */
export async function addLabels(github: GitHub, number: number, labels: readonly string[]): Promise<void> {
  const { owner, name: repo } = github.repository;
  await github.octokit.rest.issues.addLabels({ owner, repo, issue_number: number, labels: [...labels] });
}

/** Takes a label off. One that is not there is off already. */
export async function removeLabel(github: GitHub, number: number, label: string): Promise<void> {
  const { owner, name: repo } = github.repository;
  try {
    await github.octokit.rest.issues.removeLabel({ owner, repo, issue_number: number, name: label });
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 410) throw error;
  }
}
