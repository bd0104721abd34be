import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GavelError } from "../../errors.ts";
import { type AppCredentials, convertCode } from "./convert-code.ts";
import { type GitHubPlace, newAppUrl } from "./github-place.ts";
import { makeManifest } from "./manifest.ts";
import { messagePage, startPage } from "./pages.ts";

export interface SetupOptions {
  /** The address at which GitHub reaches the server. */
  readonly serverUrl: URL;
  /** Port of the page on 127.0.0.1; 0: any that is free. */
  readonly port: number;
  readonly github: GitHubPlace;
  /** Organisation that is to own the App; null: the person's own account. */
  readonly organization: string | null;
  readonly minutesMax: number;
  /** Told the page's address once it is up. */
  readonly onReady: (pageUrl: string) => void;
  /** Keeps the credentials: they are handed out once. A throw is shown on the page and ends everything. */
  readonly keep: (credentials: AppCredentials) => void;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  /** Ends the set-up, well or badly. */
  readonly end?: { readonly made: AppCredentials } | { readonly failed: unknown };
}

/**
 * Serves the set-up page on this machine alone until an App was made and its credentials are kept; gives them.
 * Throws a GavelError: time over, port taken, GitHub refuses the code; and what `keep` throws.
 */
export async function runSetup(options: SetupOptions): Promise<AppCredentials> {
  const state = randomBytes(24).toString("base64url");
  const server = createServer();
  const { port } = await listen(server, options.port);
  const pageUrl = `http://127.0.0.1:${port}`;
  const manifest = makeManifest(options.serverUrl, `${pageUrl}/made`);
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(timeOver(options.minutesMax)), options.minutesMax * 60_000);
      const settle = (end: NonNullable<Reply["end"]>): void => {
        clearTimeout(timer);
        if ("made" in end) resolve(end.made);
        else reject(end.failed);
      };
      const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const { status, body, end } = await answer(request);
        response.writeHead(status, headers(options.github.webUrl)).end(body, () => {
          if (end !== undefined) settle(end);
        });
      };
      server.on("request", (request, response) => void serve(request, response).catch(reject));
      options.onReady(pageUrl);
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    // A page elsewhere whose name was made to point at this machine gets nothing.
    if (request.headers.host !== `127.0.0.1:${port}` || request.method !== "GET") return await notHere();
    const at = new URL(request.url ?? "/", pageUrl);
    if (at.pathname === "/") {
      return { status: 200, body: await startPage(newAppUrl(options.github, options.organization, state), manifest) };
    }
    return at.pathname === "/made" ? await take(at.searchParams) : await notHere();
  }

  async function take(query: URLSearchParams): Promise<Reply> {
    const code = query.get("code") ?? "";
    if (!isSame(query.get("state") ?? "", state) || !/^[\w-]{1,200}$/.test(code)) {
      const text = "This answer does not belong to this set-up. Open the first page again.";
      return { status: 400, body: await messagePage("Not taken", text) };
    }
    try {
      const made = await convertCode(options.github.apiUrl, code);
      options.keep(made);
      const text = "The App is made and its credentials are kept. Go on in the terminal; this page can be closed.";
      return { status: 200, body: await messagePage("Done", text), end: { made } };
    } catch (error) {
      const text = error instanceof GavelError ? `${error.message} ${error.cure}` : "See the terminal.";
      return { status: 502, body: await messagePage("That did not work", text), end: { failed: error } };
    }
  }
}

async function notHere(): Promise<Reply> {
  return { status: 404, body: await messagePage("Nothing here", "The set-up begins at the first page.") };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const message = `Port ${port} of 127.0.0.1 can not be used: ${error.code ?? error.message}.`;
      reject(new GavelError("setup-port", message, "Name another one with --port.", { cause: error }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  return server.address() as AddressInfo;
}

/** The page may send its form to GitHub and do nothing else. */
function headers(webUrl: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; form-action ${webUrl} http://127.0.0.1:*`,
    connection: "close",
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function timeOver(minutes: number): GavelError {
  return new GavelError("setup-time-over", `No App was made within ${minutes} minutes.`, "Run `gavel setup` again.");
}
