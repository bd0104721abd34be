import { html } from "hono/html";
import { readCommits } from "../git/commits.ts";
import { pullCommits, pullFiles } from "../show/pull.ts";
import { fullName, type Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import type { Pull } from "../state-pulls.ts";
import { fileBox } from "./diff.ts";
import { type Html, layout } from "./layout.ts";
import { author, checkBox, itemHref, labelChips, stateBadge, textBox } from "./parts.ts";

/** An issue or a pull request: the conversation, and for a pull request checks, commits and changes. */
export function itemPage(repository: Repository, issue: Issue): Html {
  const { pull } = issue;
  const path = [
    { text: fullName(repository), href: `/${fullName(repository)}` },
    { text: `#${issue.number}`, href: itemHref(repository, issue) },
  ];
  return layout(
    `${issue.title} · #${issue.number}`,
    path,
    html`<h1>${issue.title} <span class="dim">#${issue.number}</span></h1>
      <div class="bar">
        ${stateBadge(issue)}
        ${pull === null ? html`<span class="dim">by ${author(issue.login)}</span>` : from(issue, pull)}
        ${labelChips(issue.labels)} ${issue.locked ? html`<span class="label">🔒 locked</span>` : ""}
      </div>
      ${textBox({ ...issue, id: `issue-${issue.number}`, at: issue.createdAt, says: "opened this" })}
      ${issue.comments.map((comment) =>
        textBox({
          ...comment,
          id: `issuecomment-${comment.id}`,
          at: comment.createdAt,
          says: comment.updatedAt === comment.createdAt ? "commented" : "commented (edited)",
        }),
      )}
      ${pull === null ? "" : pullParts(repository, pull)}`,
  );
}

function from(issue: Issue, pull: Pull): Html {
  return html`<span class="dim"
    >${author(issue.login)} wants to merge into <span class="ref">${pull.baseRef}</span> from
    <span class="ref">${pull.headRepository === null ? `${pull.headOwner}:` : ""}${pull.headRef}</span></span
  >`;
}

function pullParts(repository: Repository, pull: Pull): Html {
  const checks = repository.checkRuns.filter((run) => run.headSha === pull.headSha);
  const commits = readCommits(repository.git, pullCommits(repository, pull));
  const files = pullFiles(repository, pull);
  const count = (of: "additions" | "deletions"): number => files.reduce((sum, file) => sum + file[of], 0);
  return html`${pull.reviews.map((review) =>
      textBox({
        id: `pullrequestreview-${review.id}`,
        login: review.login,
        at: review.submittedAt,
        says: `reviewed (${review.state.toLowerCase().replace("_", " ")})`,
        body: [
          review.body,
          ...pull.reviewComments
            .filter((comment) => comment.reviewId === review.id)
            .map((comment) => `**\`${comment.path}\`, line ${comment.line ?? "–"}**\n\n${comment.body}`),
        ].join("\n\n"),
        reactions: [],
      }),
    )}
    <h2>Checks <span class="dim">${checks.length}</span></h2>
    ${checks.length === 0 ? html`<p class="dim">No checks on this commit.</p>` : checks.map(checkBox)}
    <h2>Commits <span class="dim">${commits.length}</span></h2>
    <div class="box">
      ${commits.map(
        (commit) =>
          html`<div class="row">
            <span class="grow"
              ><b>${commit.message.split("\n")[0]}</b><br /><span class="dim">${author(commit.author.name)}</span></span
            >
            ${repository.signed.has(commit.sha) ? html`<span class="label">Verified</span>` : ""}
            <span class="mono dim">${commit.sha.slice(0, 7)}</span>
          </div>`,
      )}
    </div>
    <h2>Files changed <span class="dim">${files.length} · +${count("additions")} −${count("deletions")}</span></h2>
    ${files.map(fileBox)}`;
}
