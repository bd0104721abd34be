import { findOrCreate } from "./find-or-create.ts";
import type { GitHub } from "./github.ts";
import { statusOf } from "./retry.ts";

export type PostedComment =
  | { readonly kind: "posted"; readonly id: number; readonly url: string }
  /** The conversation is locked, or the App may not write here: the chain goes on without. */
  | { readonly kind: "locked" };

/** Pages of 100 comments that are searched for a marker. */
const pagesMax = 30;

/**
 * Posts a comment once: one of our own bot's that carries the same marker is found instead, and left as it is.
 * A marker in anybody else's comment counts for nothing.
 */
export async function findOrPostComment(
  github: GitHub,
  comment: { readonly issue: number; readonly marker: string; readonly body: string; readonly since?: Date },
): Promise<PostedComment> {
  const { owner, name: repo } = github.repository;
  const { issues } = github.octokit.rest;
  const body = `${comment.marker}\n${comment.body}`;
  try {
    return await findOrCreate(
      () => findComment(github, comment),
      async () => {
        const { data } = await issues.createComment({ owner, repo, issue_number: comment.issue, body });
        return { kind: "posted", id: data.id, url: data.html_url };
      },
    );
  } catch (error) {
    if (statusOf(error) === 403) return { kind: "locked" };
    throw error;
  }
}

async function findComment(
  github: GitHub,
  { issue, marker, since }: { readonly issue: number; readonly marker: string; readonly since?: Date },
): Promise<PostedComment | null> {
  const { owner, name: repo } = github.repository;
  let page = 0;
  for await (const { data } of github.octokit.paginate.iterator(github.octokit.rest.issues.listComments, {
    owner,
    repo,
    issue_number: issue,
    per_page: 100,
    ...(since === undefined ? {} : { since: since.toISOString() }),
  })) {
    const ours = data.find((item) => item.user?.login === github.botLogin && (item.body ?? "").startsWith(marker));
    if (ours !== undefined) return { kind: "posted", id: ours.id, url: ours.html_url };
    page += 1;
    if (page === pagesMax) break;
  }
  return null;
}

/** Gives a comment of ours another body. One that was deleted meanwhile stays deleted. */
export async function editComment(github: GitHub, id: number, marker: string, body: string): Promise<void> {
  const { owner, name: repo } = github.repository;
  try {
    await github.octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body: `${marker}\n${body}` });
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 403 && status !== 410) throw error;
  }
}
