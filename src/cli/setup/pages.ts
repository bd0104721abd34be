import { html } from "hono/html";

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}";

/** The page with the one button: it posts the manifest to GitHub, where the person signs in and confirms. */
export async function startPage(action: string, manifest: object): Promise<string> {
  return await page(
    "Make the GitHub App",
    html`<p>
        GitHub shows the App's name (change it if it is taken), and makes it for you. Its credentials come back here and
        are written to this machine alone.
      </p>
      <form method="post" action="${action}">
        <input type="hidden" name="manifest" value="${JSON.stringify(manifest)}" />
        <button type="submit">Make the App on ${new URL(action).host}</button>
      </form>`,
  );
}

export async function messagePage(title: string, text: string): Promise<string> {
  return await page(title, html`<p>${text}</p>`);
}

async function page(title: string, content: ReturnType<typeof html>): Promise<string> {
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title} – Gavel</title>
          <style>
            ${style}
          </style>
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${content}
          </main>
        </body>
      </html>`,
  );
}
