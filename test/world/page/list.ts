import { html } from "hono/html";
import { fullName, type Repository } from "../state.ts";
import type { Issue } from "../state-issues.ts";
import { type Html, layout } from "./layout.ts";
import { author, itemHref, labelChips, stateBadge } from "./parts.ts";

export function listPage(repositories: readonly Repository[]): Html {
  return layout(
    "Repositories",
    [],
    repositories.length === 0 ? html`<p class="dim">No repository yet.</p>` : repositories.map(repositoryPart),
  );
}

export function repositoryPage(repository: Repository): Html {
  return layout(
    fullName(repository),
    [{ text: fullName(repository), href: `/${fullName(repository)}` }],
    repositoryPart(repository),
  );
}

function repositoryPart(repository: Repository): Html {
  const items = [...repository.issues.values()].toReversed();
  const pulls = items.filter((issue) => issue.pull !== null);
  const issues = items.filter((issue) => issue.pull === null);
  return html`<h1><a href="/${fullName(repository)}">${fullName(repository)}</a></h1>
    ${group("Pull requests", repository, pulls)} ${group("Issues", repository, issues)}`;
}

function group(title: string, repository: Repository, items: readonly Issue[]): Html {
  return html`<h2>${title} <span class="dim">${items.length}</span></h2>
    <div class="box">
      ${
        items.length === 0
          ? html`<div class="empty">None.</div>`
          : items.map(
              (issue) =>
                html`<div class="row">
                  ${stateBadge(issue)}
                  <span class="grow"
                    ><a href="${itemHref(repository, issue)}"><b>${issue.title}</b></a> ${labelChips(issue.labels)}
                    <br /><span class="dim">#${issue.number} opened by ${author(issue.login)}</span></span
                  >
                  <span class="dim">💬 ${issue.comments.length}</span>
                </div>`,
            )
      }
    </div>`;
}
