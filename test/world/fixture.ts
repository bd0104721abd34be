import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { Octokit } from "@octokit/rest";
import type { Repository } from "./state.ts";
import { startWorld, type World, type WorldOptions } from "./world.ts";

/** A world with one repository, and GitHub's own client in both of an App's roles. */
export interface Fixture {
  readonly world: World;
  readonly repository: Repository;
  /** Where the repository is, for requests. */
  readonly at: { readonly owner: string; readonly repo: string };
  /** The App with its own token. */
  readonly app: Octokit;
  /** The App with an installation's token of all that it was granted. */
  readonly bot: Octokit;
  close(): Promise<void>;
}

/** A client that tells nobody of the refusals that a test provokes. */
export function openClient(options: ConstructorParameters<typeof Octokit>[0]): Octokit {
  const silent = (): void => undefined;
  return new Octokit({ ...options, log: { debug: silent, info: silent, warn: silent, error: silent } });
}

export async function openFixture(options: WorldOptions = {}): Promise<Fixture> {
  const world = await startWorld(options);
  const at = { owner: "octo-org", repo: "clock" };
  const repository = await world.createRepository({
    owner: at.owner,
    name: at.repo,
    files: { "a.txt": "one\ntwo\nthree\n", "src/b.txt": "b\n", "old.txt": "old\n" },
  });
  const baseUrl = `${world.url}/api/v3`;
  const auth = {
    appId: world.appId,
    privateKey: world.privateKey,
    request: request.defaults({ baseUrl }),
  };
  return {
    world,
    repository,
    at,
    app: openClient({ baseUrl, authStrategy: createAppAuth, auth }),
    bot: openClient({ baseUrl, authStrategy: createAppAuth, auth: { ...auth, installationId: world.installationId } }),
    async close() {
      try {
        world.assertClean();
      } finally {
        await world.close();
      }
    },
  };
}

/** A client with a token of its own. */
export function clientOf(world: World, token: string): Octokit {
  return openClient({ baseUrl: `${world.url}/api/v3`, auth: token });
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly event: string;
  readonly body: string;
  readonly payload: Record<string, unknown>;
}

/** Listens for webhooks on loopback. */
export async function openReceiver(): Promise<{
  readonly url: string;
  readonly received: readonly Received[];
  /** Events as `name.action`, in the order in which they came. */
  readonly names: () => readonly string[];
  readonly close: () => Promise<void>;
}> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const payload = JSON.parse(body) as Record<string, unknown>;
      received.push({ headers: incoming.headers, event: String(incoming.headers["x-github-event"]), body, payload });
      response.end("taken");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    names: () =>
      received.map(({ event, payload }) =>
        typeof payload["action"] === "string" ? `${event}.${payload["action"]}` : event,
      ),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
