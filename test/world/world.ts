import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPermissions, openAuth } from "./auth.ts";
import { type Fault, type JournalEntry, openDispatcher } from "./dispatch.ts";
import { openEvents } from "./events.ts";
import { isGitRequest, serveGit } from "./git-http.ts";
import { renderPage } from "./page.ts";
import { openPeople, type People } from "./people.ts";
import { appRoutes } from "./routes/app.ts";
import { checkRoutes } from "./routes/checks.ts";
import { gitRoutes } from "./routes/git-data.ts";
import { issueRoutes } from "./routes/issues.ts";
import { pullRoutes } from "./routes/pulls.ts";
import { repositoryRoutes } from "./routes/repository.ts";
import { takeManifest } from "./setup-page.ts";
import { openShower } from "./show.ts";
import { openState } from "./state.ts";
import { openHooks, type SentDelivery } from "./webhooks.ts";

/** Largest request body that the world takes, in bytes. */
const bodyBytesMax = 50 * 1024 * 1024;

/** Violations that are kept; the first ones explain the rest. */
const violationsMax = 100;

/** The App's keys, made once for a process: making them takes long, and nothing depends on their being new. */
let appKeys: ReturnType<typeof makeKeys> | null = null;

function makeKeys() {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

export interface WorldOptions {
  readonly port?: number;
  readonly appSlug?: string;
  readonly now?: () => Date;
}

/** A small GitHub on this machine: stateful, on real git, held to GitHub's own description. */
export interface World extends People {
  readonly url: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly botLogin: string;
  readonly installationId: number;
  /** Where requests, replies and webhooks differ from GitHub's description. */
  readonly violations: readonly string[];
  /** Throws when anything differed. */
  assertClean(): void;
  readonly requests: readonly JournalEntry[];
  readonly faults: { add(fault: Fault): void };
  readonly deliveryFaults: ("drop" | "double")[];
  readonly deliveries: readonly SentDelivery[];
  setWebhookTarget(url: string): void;
  redeliver(id: string): void;
  deliveriesSettled(): Promise<void>;
  /** Every token is worthless from now on, as when it has expired. */
  revokeTokens(): void;
  close(): Promise<void>;
}

/** Starts a world on loopback. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const now = options.now ?? (() => new Date());
  const slug = options.appSlug ?? "gavel";
  const app = { id: 77, slug, installationId: 501, created: new Map<string, object>() };
  const botLogin = `${slug}[bot]`;
  const { privateKey, publicKey } = (appKeys ??= makeKeys());
  const webhookSecret = randomBytes(20).toString("hex");
  const root = mkdtempSync(join(tmpdir(), "gavel-world-"));
  const violations: string[] = [];
  const violation = (what: string): void => {
    if (violations.length < violationsMax) violations.push(what);
  };

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const state = openState(now, botLogin);
  const auth = openAuth({ id: app.id, publicKey, now }, defaultPermissions);
  const show = openShower(state, url, app);
  const hooks = openHooks({ secret: webhookSecret, hookId: 9, appId: app.id, violation });
  const events = openEvents(hooks, show, app.installationId);
  const dispatcher = openDispatcher({
    url,
    state,
    show,
    events,
    auth,
    actor: botLogin,
    violation,
    table: { ...appRoutes(app), ...issueRoutes, ...repositoryRoutes, ...gitRoutes, ...pullRoutes, ...checkRoutes },
  });
  const people = openPeople({ root, state, events });

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = new URL(incoming.url ?? "/", url);
    if (isGitRequest(at.pathname)) {
      serveGit({ state, auth, root, pushed: people.noticePush }, incoming, response);
      return;
    }
    if (at.pathname === "/settings/apps/new" && incoming.method === "POST") {
      const form = new URLSearchParams((await readBody(incoming)).toString());
      const taken = takeManifest(url, form, at.searchParams.get("state"), (code, made) => app.created.set(code, made));
      if ("problem" in taken) response.writeHead(422).end(taken.problem);
      else response.writeHead(302, { location: taken.location }).end();
      return;
    }
    if (at.pathname.startsWith("/api/v3")) {
      const text = (await readBody(incoming)).toString();
      const reply = dispatcher.handle({
        method: incoming.method ?? "GET",
        path: at.pathname.slice("/api/v3".length),
        query: Object.fromEntries(at.searchParams),
        authorization: incoming.headers.authorization,
        accept: String(incoming.headers.accept ?? ""),
        body: text === "" ? null : JSON.parse(text),
      });
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const page = incoming.method === "GET" ? await renderPage(state, at.pathname) : null;
    response
      .writeHead(page === null ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
      .end(page ?? "Not found");
  };
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    answer(incoming, response).catch((error: unknown) => {
      violation(`the world failed at ${incoming.method} ${incoming.url}: ${String(error)}`);
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: "Server Error" }));
    });
  });

  return {
    ...people,
    url,
    appId: app.id,
    privateKey,
    webhookSecret,
    botLogin,
    installationId: app.installationId,
    violations,
    assertClean() {
      if (violations.length > 0) throw new Error(`not as GitHub describes it:\n${violations.join("\n")}`);
    },
    requests: dispatcher.journal,
    faults: { add: (fault) => dispatcher.faults.push(fault) },
    deliveryFaults: hooks.faults,
    deliveries: hooks.log,
    setWebhookTarget: (target) => hooks.setTarget(target),
    redeliver: (id) => hooks.redeliver(id),
    deliveriesSettled: () => hooks.settled(),
    revokeTokens: () => auth.revokeAll(),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytesMax) throw new Error("the request body is too large");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
