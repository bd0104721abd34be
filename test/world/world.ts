import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import { type Api, type JournalEntry, openApi } from "./api/api.ts";
import { type Fault, openFaults } from "./api/faults.ts";
import { openLimits } from "./api/limits.ts";
import { openApp } from "./app.ts";
import { openTokens } from "./auth/tokens.ts";
import type { Core, Permissions } from "./core.ts";
import { type Hooks, openHooks } from "./hooks/hooks.ts";
import { openInstallation, type InstallationActs } from "./installation.ts";
import { openManifestCodes } from "./manifest.ts";
import { openPeople, type People } from "./people.ts";
import { openReaders, type Readers } from "./readers.ts";
import { makeRoutes } from "./routes/table.ts";
import { makeServer } from "./serve.ts";
import { openState } from "./state.ts";

/** Violations that are kept; the first ones explain the rest. */
const violationsMax = 100;

export interface WorldOptions {
  readonly port?: number;
  readonly appSlug?: string;
  readonly now?: () => Date;
  /** What the installation was granted; Gavel's own needs when left out. */
  readonly permissions?: Permissions;
}

/**
 * A small GitHub on this machine: stateful, on real git, and held to GitHub's own description. It lives in the
 * process that started it, so that its state outlives the server under test; `setWebhookTarget` tells it where a
 * new one listens.
 */
export interface World extends People, Readers, InstallationActs {
  readonly url: string;
  readonly appId: number;
  readonly appSlug: string;
  readonly botLogin: string;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly installationId: number;
  /** Where requests, answers and webhooks differ from GitHub's description. */
  readonly violations: readonly string[];
  /** Throws with all violations where there are any. */
  assertClean(): void;
  /** Requests of the API, oldest first. */
  readonly requests: readonly JournalEntry[];
  readonly faults: { readonly add: (fault: Fault) => void };
  readonly deliveries: Hooks["log"];
  readonly setWebhookTarget: Hooks["setTarget"];
  readonly redeliver: Hooks["redeliver"];
  readonly rawDeliver: Hooks["sendRaw"];
  readonly deliveriesSettled: Hooks["settled"];
  /** Folder of the bare repositories; removed by `close`. */
  readonly dataFolder: string;
  close(): Promise<void>;
}

/** Starts a world on loopback. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const now = options.now ?? (() => new Date());
  const root = mkdtempSync(join(tmpdir(), "gavel-world-"));
  const violations: string[] = [];
  const violation = (what: string): void => {
    if (violations.length < violationsMax) violations.push(what);
  };
  const state = openState(now);
  const app = openApp(options.appSlug ?? "gavel", state.now());
  app.permissions = options.permissions ?? app.permissions;
  const faults = openFaults();
  const hooks = openHooks({
    secret: app.webhookSecret,
    hookId: app.hookId,
    appId: app.id,
    nextId: () => state.nextId(),
    now,
    // Events about the installation itself come without being asked for.
    wants: (event) => app.events.includes(event) || event.startsWith("installation"),
    takeFault: faults.takeForDelivery,
    violation,
  });

  // The routes need the address, and the address is known when the server listens.
  let fetch: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = await listen((request) => fetch(request), options.port ?? 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const core: Core = { url, app, state, hooks, root, now, violation };
  state.account(app.botLogin);

  const tokens = openTokens(now);
  const limits = openLimits(now);
  const codes = openManifestCodes(core);
  const api: Api = openApi({ core, tokens, faults, limits, table: makeRoutes(limits, codes) });
  fetch = makeServer({ core, tokens, api, codes }).fetch;

  return {
    ...openPeople(core),
    ...openReaders(state),
    ...openInstallation(core, tokens),
    url,
    appId: app.id,
    appSlug: app.slug,
    botLogin: app.botLogin,
    privateKey: app.privateKey,
    webhookSecret: app.webhookSecret,
    installationId: app.installationId,
    violations,
    assertClean() {
      if (violations.length > 0) throw new Error(`not as GitHub describes it:\n${violations.join("\n")}`);
    },
    requests: api.journal,
    faults,
    deliveries: hooks.log,
    setWebhookTarget: hooks.setTarget,
    redeliver: hooks.redeliver,
    rawDeliver: hooks.sendRaw,
    deliveriesSettled: hooks.settled,
    dataFolder: root,
    async close() {
      hooks.setTarget(null);
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function listen(fetch: (request: Request) => Response | Promise<Response>, port: number): Promise<ServerType> {
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: "127.0.0.1", port, overrideGlobalObjects: false }, () => resolve(server));
    server.once("error", reject);
    // While git runs, nothing else does: a kept connection must not count as idle then.
    if ("keepAliveTimeout" in server) server.keepAliveTimeout = 0;
  });
}
