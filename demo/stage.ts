import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startWorld, type World } from "../test/world/world.ts";
import { type Recorded, writeRecording } from "./recording.ts";
import { type Server, startServer, type Told } from "./server.ts";

export const owner = "octo-org";
export const name = "clock-words";

const here = fileURLToPath(new URL(".", import.meta.url));

export type Repository = Awaited<ReturnType<World["createRepository"]>>;

/** A local GitHub with the sample repository, and a server of ours that listens to it. */
export interface Stage {
  readonly world: World;
  readonly repository: Repository;
  /** Everything the servers' logs told, in order. */
  readonly told: readonly Told[];
  readonly server: () => Server;
  /** Starts the server (again) with the same data, as after a power cut; `entry`: another version's program. */
  start(env?: Record<string, string>, entry?: string): Promise<void>;
  /** Waits until something is so; it is looked at whenever the log tells something. */
  waitFor(what: string, done: () => boolean, millisecondsMax?: number): Promise<void>;
  /** Stops the server and the world, and removes everything from disk. */
  close(): Promise<void>;
}

export interface StageOptions {
  readonly recorded: readonly Recorded[];
  /** Whether the sandbox is there; without it the sample runs without one. */
  readonly sandboxed: boolean;
  /** Key of a real provider; without it the recording is replayed. */
  readonly liveKey?: string;
  /** More files of the repository, or other contents. */
  readonly files?: Readonly<Record<string, string>>;
  readonly onTold?: (told: Told) => void;
}

/** Longest wait for anything on the stage, unless the caller says otherwise, in milliseconds. */
const waitMillisecondsMax = 5 * 60_000;

export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "gavel-stage-"));
  const world = await startWorld();
  const files = { ...readSample(), ...options.files };
  const repository = await world.createRepository({ owner, name, files });
  world.setPermission(repository, "maintainer", "admin");
  const recording = join(folder, "recording.jsonl");
  writeRecording(recording, options.recorded);

  const told: Told[] = [];
  const checks = new Set<() => void>();
  let server: Server | null = null;

  return {
    world,
    repository,
    told,
    server: () => {
      if (server === null) throw new Error("the server was not started");
      return server;
    },
    async start(env = {}, entry = join(here, "..", "src", "main.ts")) {
      server = await startServer(entry, { ...serverEnvironment(world, folder, recording, options), ...env }, (item) => {
        told.push(item);
        options.onTold?.(item);
        for (const check of checks) check();
      });
      world.setWebhookTarget(`${server.url}/api/github/webhooks`);
    },
    async waitFor(what, done, millisecondsMax = waitMillisecondsMax) {
      await new Promise<void>((resolve, reject) => {
        const check = (): void => {
          if (done()) finish(resolve);
        };
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          checks.delete(check);
          settle();
        };
        const timer = setTimeout(() => {
          finish(() => reject(new Error(`${what} did not come within ${millisecondsMax / 1000} s`)));
        }, millisecondsMax);
        checks.add(check);
        check();
      });
    },
    async close() {
      await server?.stop();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverEnvironment(
  world: World,
  folder: string,
  recording: string,
  options: StageOptions,
): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    NODE_ENV: "production",
    // Starting is mostly reading modules: what was compiled once is kept.
    NODE_COMPILE_CACHE: join(here, "..", ".cache", "compile"),
    APP_ID: String(world.appId),
    PRIVATE_KEY: world.privateKey,
    WEBHOOK_SECRET: world.webhookSecret,
    GHE_HOST: new URL(world.url).host,
    GHE_PROTOCOL: "http",
    HOST: "127.0.0.1",
    PORT: "0",
    GAVEL_DATA_DIR: join(folder, "data"),
    ...(options.liveKey === undefined ? { GAVEL_CASSETTE: recording } : { ANTHROPIC_API_KEY: options.liveKey }),
    ...(options.sandboxed ? {} : { GAVEL_ISOLATION: "none" }),
  };
}

/** The sample repository, as it stands in this project. */
function readSample(): Record<string, string> {
  const root = join(here, "sample");
  return Object.fromEntries(
    globSync(["**/*", ".github/**/*"], { cwd: root })
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}
