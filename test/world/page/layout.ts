import { html, raw } from "hono/html";
import { style } from "./style.ts";

/** A piece of a page. What is put into one is escaped. */
export type Html = ReturnType<typeof html>;

/** A whole page. `path` leads from the front page to this one. */
export function layout(
  title: string,
  path: readonly { readonly text: string; readonly href: string }[],
  content: Html | readonly Html[],
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <header>
          <p>
            <span
              ><a href="/"><b>Repositories</b></a>
              ${path.map(({ text, href }) => html` / <a href="${href}">${text}</a>`)}</span
            >
            <span>a local double of GitHub</span>
          </p>
        </header>
        <main>${content}</main>
      </body>
    </html>`;
}
