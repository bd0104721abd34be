import type { GitHub } from "./github.ts";
import { statusOf } from "./retry.ts";

export const configPath = ".github/gavel.yml";

export interface ConfigFile {
  /** Where it stands, for messages. */
  readonly name: string;
  readonly text: string;
}

/**
 * The repository's configuration on its default branch, as text; empty where there is none. The owner's `.github`
 * repository is another repository than this token is good for, and so is read by its own reader.
 */
export async function readConfigFiles(github: GitHub): Promise<readonly ConfigFile[]> {
  const { owner, name: repo } = github.repository;
  try {
    const { data } = await github.octokit.rest.repos.getContent({ owner, repo, path: configPath });
    if (Array.isArray(data) || data.type !== "file" || !("content" in data)) return [];
    return [{ name: `${owner}/${repo}/${configPath}`, text: Buffer.from(data.content, "base64").toString("utf8") }];
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
}
