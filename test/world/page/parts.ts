import { html, raw } from "hono/html";
import { fullName, ghost, type Repository } from "../state.ts";
import type { Issue, Reaction } from "../state-issues.ts";
import type { CheckRun } from "../state-checks.ts";
import { issuePath } from "../show/issue.ts";
import type { Html } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

export function itemHref(repository: Repository, issue: Issue): string {
  return `/${fullName(repository)}${issuePath(issue)}`;
}

/** Open, closed, draft or merged, in GitHub's colours. */
export function stateBadge({ state, pull }: Issue): Html {
  const [text, colour] =
    pull?.merge != null
      ? ["Merged", "done"]
      : state === "closed"
        ? ["Closed", pull === null ? "done" : "bad"]
        : pull?.draft === true
          ? ["Draft", "gray"]
          : ["Open", "good"];
  return html`<span class="badge ${colour}">${text}</span>`;
}

export function labelChips(labels: readonly string[]): readonly Html[] {
  return labels.map((label) => html`<span class="label">${label}</span> `);
}

const signs: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀",
};

function reactionRow(reactions: readonly Reaction[]): Html | "" {
  const contents = [...new Set(reactions.map((item) => item.content))];
  if (contents.length === 0) return "";
  const count = (content: string): number => reactions.filter((item) => item.content === content).length;
  return html`<div class="reactions">
    ${contents.map((content) => html`<span>${signs[content] ?? content} ${count(content)}</span>`)}
  </div>`;
}

export function author(login: string | null): Html {
  const bot = login?.endsWith("[bot]") === true;
  return html`<b>${bot ? login.slice(0, -"[bot]".length) : (login ?? ghost)}</b>${
      bot ? html` <span class="bot">bot</span>` : ""
    }`;
}

/** Something that somebody wrote. */
export function textBox(text: {
  readonly id: string;
  readonly login: string | null;
  readonly at: string;
  readonly says: string;
  readonly body: string | null;
  readonly reactions: readonly Reaction[];
}): Html {
  const body = text.body ?? "";
  return html`<div class="box" id="${text.id}">
    <div class="head">${author(text.login)} ${text.says} <span title="${text.at}">${when(text.at)}</span></div>
    <div class="md">
      ${body === "" ? html`<p class="dim"><i>No description provided.</i></p>` : raw(renderMarkdown(body))}
    </div>
    ${reactionRow(text.reactions)}
  </div>`;
}

export function when(time: string): string {
  return `on ${time.slice(0, 10)} at ${time.slice(11, 19)}`;
}

const conclusionColours: Readonly<Record<string, string>> = {
  success: "good",
  failure: "bad",
  timed_out: "bad",
  action_required: "wait",
};

/** A check run with its summary. */
export function checkBox(run: CheckRun): Html {
  const word = run.conclusion ?? run.status;
  const colour = run.conclusion === null ? "wait" : (conclusionColours[run.conclusion] ?? "gray");
  return html`<div class="box">
    <div class="head">
      <span class="badge ${colour}">${word.replaceAll("_", " ")}</span> <b>${run.name}</b> ${run.output.title ?? ""}
      ${run.annotations.length === 0 ? "" : html` · ${run.annotations.length} annotations`}
    </div>
    ${
      run.output.summary === null
        ? ""
        : html`<div class="md">${raw(renderMarkdown(`${run.output.summary}\n\n${run.output.text ?? ""}`))}</div>`
    }
  </div>`;
}
