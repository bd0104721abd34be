import { type Command, InvalidArgumentError } from "commander";
import { addToEnvFile, refuseTaken } from "./setup/env-file.ts";
import { findGitHub } from "./setup/github-place.ts";
import { hookPath } from "./setup/manifest.ts";

const minutesMax = 30;

interface Options {
  readonly url: URL;
  readonly port: number;
  readonly env: string;
  readonly organization?: string;
}

/** `gavel setup`: makes the App on GitHub from app.yml and keeps its credentials in the settings' file. */
export function addSetup(parent: Command): void {
  parent
    .command("setup")
    .description("make the GitHub App on GitHub (or GHE_HOST) and write its credentials to a file")
    .requiredOption("--url <url>", "the address at which GitHub reaches the server", readUrl)
    .option("--port <n>", "port of the page on 127.0.0.1; 0 takes any that is free", readPort, 0)
    .option("--env <file>", "file the credentials are added to", ".env")
    .option("--organization <login>", "organisation that owns the App, in place of your own account")
    .action(async ({ url, port, env, organization }: Options) => {
      const github = findGitHub(process.env);
      refuseTaken(env, ["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"]);
      const { runSetup } = await import("./setup/run-setup.ts");
      const made = await runSetup({
        serverUrl: url,
        port,
        github,
        organization: organization ?? null,
        minutesMax,
        onReady: (page) =>
          console.log(
            `Open ${page} in a browser on this machine and press the button. ` +
              `This waits for at most ${minutesMax} minutes; Ctrl+C ends it.\n` +
              `From another machine: ssh -L ${new URL(page).port}:127.0.0.1:${new URL(page).port} THIS-MACHINE, then the same address.`,
          ),
        keep: (app) =>
          addToEnvFile(env, {
            APP_ID: String(app.appId),
            PRIVATE_KEY: app.privateKey,
            WEBHOOK_SECRET: app.webhookSecret,
            ...hostSettings(),
          }),
      });
      console.log(
        `\nThe App ${made.slug} is made (id ${made.appId}); its credentials are in ${env}, which only you can read.\n\n` +
          `Next:\n1. Install it on a repository: ${made.pageUrl}/installations/new\n` +
          `2. Add ANTHROPIC_API_KEY to ${env}, and look whether all is there: gavel doctor --env ${env}\n` +
          `3. Start the server (npm start); GitHub sends its webhooks to ${new URL(hookPath, url).href}`,
      );
    });
}

/** The server has to talk to the same GitHub as the set-up did. */
function hostSettings(): Record<string, string> {
  const names = ["GHE_HOST", "GHE_PROTOCOL"] as const;
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:") || url.search !== "" || url.hash !== "") {
    throw new InvalidArgumentError("It must be an address like https://gavel.example.org.");
  }
  return url;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}
