import { html, raw } from "hono/html";
import { renderMarkdown } from "./markdown.ts";
import { findRepository, type Comment, type Issue, type Repository, type State } from "./state.ts";

const style = `
:root { color-scheme: light dark; --line: light-dark(#d1d9e0, #3d444d); --soft: light-dark(#f6f8fa, #151b23); --dim: light-dark(#59636e, #9198a1); --link: light-dark(#0969da, #4493f8); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.box { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; overflow: hidden; }
.head { background: var(--soft); padding: .5rem 1rem; border-bottom: 1px solid var(--line); color: var(--dim); }
.body { padding: .25rem 1rem 1rem; overflow-x: auto; }
.badge { border-radius: 2em; padding: .1rem .7rem; color: #fff; font-weight: 600; font-size: .85em; }
.open { background: #1a7f37; } .closed { background: #8250df; } .draft { background: #59636e; }
.label { border: 1px solid var(--line); border-radius: 2em; padding: 0 .6rem; font-size: .8em; }
table { border-collapse: collapse; margin: .75rem 0; } td, th { border: 1px solid var(--line); padding: .3rem .7rem; text-align: left; }
pre { background: var(--soft); padding: .75rem; border-radius: 6px; overflow-x: auto; font-size: .85em; }
code { background: var(--soft); padding: .1em .3em; border-radius: 4px; font-size: .9em; } pre code { padding: 0; background: none; }
blockquote { border-left: 4px solid #bf8700; margin: .75rem 0; padding: .1rem 1rem; } summary { cursor: pointer; }
.dim { color: var(--dim); } h1 .dim { font-weight: 400; } li { margin: .15rem 0; }`;

type Html = ReturnType<typeof html>;

function layout(title: string, content: Html | Html[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <p class="dim"><a href="/">A local double of GitHub</a></p>
        ${content}
      </body>
    </html>`;
}

/** The page at a path, or null where there is none. */
export async function renderPage(state: State, path: string): Promise<string | null> {
  if (path === "/") return String(await layout("Repositories", state.repositories.map(repositoryBox)));
  const [, owner = "", name = "", number = ""] = /^\/([^/]+)\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(path) ?? [];
  const repository = findRepository(state, owner, name);
  const issue = repository?.issues.get(Number(number));
  return repository == null || issue === undefined ? null : String(await itemPage(repository, issue));
}

function repositoryBox(repository: Repository): Html {
  const items = [...repository.issues.values()].toReversed();
  return html`<h1>${repository.owner}/${repository.name}</h1>
    <div class="box">
      <div class="body">
        <ul>
          ${items.map(
            (issue) =>
              html`<li>
                ${badge(issue)}
                <a href="${link(repository, issue)}">#${issue.number} ${issue.title}</a>
                ${issue.labels.map((label) => html`<span class="label">${label}</span> `)}
              </li>`,
          )}
        </ul>
      </div>
    </div>`;
}

const link = (repository: Repository, issue: Issue): string =>
  `/${repository.owner}/${repository.name}/${issue.pull === null ? "issues" : "pull"}/${issue.number}`;

function badge(issue: Issue): Html {
  const kind = issue.state === "closed" ? "closed" : issue.pull?.draft === true ? "draft" : "open";
  return html`<span class="badge ${kind}"
    >${issue.pull === null ? "Issue" : issue.pull.draft ? "Draft" : "Pull request"}</span
  >`;
}

function itemPage(repository: Repository, issue: Issue): Html {
  const { pull } = issue;
  const checks = pull === null ? [] : repository.checkRuns.filter((run) => run.headSha === pull.headSha);
  const { git } = repository;
  const commits =
    pull === null ? "" : git.run(["log", "--reverse", "--format=%h %an: %s", `${pull.baseSha}..${pull.headSha}`]);
  const diff = pull === null ? "" : git.run(["diff", `${pull.baseSha}...${pull.headSha}`]);
  return layout(
    `${issue.title} #${issue.number}`,
    html`<h1>${issue.title} <span class="dim">#${issue.number}</span></h1>
      <p>
        ${badge(issue)}
        ${issue.labels.map((label) => html`<span class="label">${label}</span> `)}${
          pull === null ? "" : html`<span class="dim">${pull.headRef} → ${pull.baseRef}</span>`
        }
      </p>
      ${box(issue.login, issue.body ?? "", issue.reactions)}
      ${issue.comments.map((comment: Comment) => box(comment.login, comment.body, comment.reactions))}
      ${checks.map(
        (run) =>
          html`<div class="box">
            <div class="head">
              Check <b>${run.name}</b>: <b>${run.conclusion ?? run.status}</b> · ${run.output.title ?? ""}
            </div>
            <div class="body">${raw(renderMarkdown(run.output.summary ?? ""))}</div>
          </div>`,
      )}
      ${
        pull === null
          ? ""
          : html`<div class="box">
                <div class="head">Commits</div>
                <div class="body"><pre>${commits}</pre></div>
              </div>
              <div class="box">
                <div class="head">Changes</div>
                <div class="body"><pre>${diff}</pre></div>
              </div>`
      }`,
  );
}

function box(login: string | null, body: string, reactions: readonly { readonly content: string }[]): Html {
  const signs: Readonly<Record<string, string>> = { eyes: "👀", confused: "😕", "+1": "👍", rocket: "🚀" };
  return html`<div class="box">
    <div class="head">
      <b>${login ?? "ghost"}</b> ${reactions.map((item) => signs[item.content] ?? item.content).join(" ")}
    </div>
    <div class="body">${raw(renderMarkdown(body))}</div>
  </div>`;
}
