import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { findAccount, openWayTo, outputOf } from "../../src/store/postgres-account.ts";
import { copyPackage, findBinaries } from "../../src/store/postgres-binaries.ts";
import { spawnServer } from "../../src/store/postgres-server.ts";
import { killPrograms, runProgram } from "./run-program.ts";
import { makeTemporaryFolder, until } from "./support.ts";

const isRoot = process.getuid?.() === 0;
const cleanUps: (() => void | Promise<void>)[] = [];
let template: ReturnType<typeof makeTemporaryFolder> | null = null;

afterAll(() => template?.remove());

afterEach(async () => {
  await killPrograms();
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function newDataFolder(name = "data"): string {
  const folder = makeTemporaryFolder();
  cleanUps.push(() => folder.remove());
  return join(folder.path, name);
}

/** A data folder with a database in it: a copy of one that was made once, because making one takes a second or two. */
async function usedDataFolder(): Promise<string> {
  if (template === null) {
    template = makeTemporaryFolder();
    const server = await startEmbeddedPostgres(join(template.path, "data"));
    await server.stop();
  }
  const data = newDataFolder();
  mkdirSync(dirname(data), { recursive: true });
  execFileSync("cp", ["-a", join(template.path, "data"), data]);
  return data;
}

async function start(data: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(data);
  cleanUps.push(() => server.stop());
  return server;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const target = new URL(url);
  target.pathname = "/postgres";
  const client = new Client({ connectionString: target.toString() });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

const socketFolderOf = (url: string): string => new URL(url).searchParams.get("host") ?? "";
const pidOf = (data: string): number =>
  Number(readFileSync(join(data, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);

/** Whether a server works in this folder, as the system tells, not as its files do. */
async function serverRuns(data: string): Promise<boolean> {
  const account = await findAccount(join(data, "postgres/data"));
  return (
    (await outputOf(
      "/bin/sh",
      ["-c", `ps -eo args | grep -F -- "-D ${data}/postgres/data" | grep -v grep`],
      account,
    )) !== null
  );
}

describe("the server", () => {
  it("keeps its data, listens on a private socket only, and syncs to disk", async () => {
    const data = await usedDataFolder();
    const first = await start(data);
    expect(statSync(socketFolderOf(first.url)).mode & 0o777).toBe(0o700);
    const settings =
      "SELECT current_setting('listen_addresses'), current_setting('fsync'), current_setting('data_checksums')";
    expect(await ask(first.url, settings)).toEqual(["", "on", "on"]);
    await ask(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
    await first.stop();
    await first.stop();
    await first.exited;
    expect(await serverRuns(data)).toBe(false);
    const second = await start(data);
    expect(await ask(second.url, "SELECT n FROM kept")).toEqual([7]);
  });

  it("starts where the path is too long for a socket, and leaves nothing behind", async () => {
    const data = newDataFolder("long-".repeat(20));
    const server = await start(data);
    const sockets = socketFolderOf(server.url);
    expect(sockets.startsWith(data)).toBe(false);
    expect(statSync(sockets).mode & 0o777).toBe(0o700);
    expect(await ask(server.url, "SELECT 1")).toEqual([1]);
    await server.stop();
    expect(existsSync(sockets)).toBe(false);
  });

  it("does not heed settings of the environment", async () => {
    const before = { ...process.env };
    cleanUps.push(() => void (process.env = before));
    process.env = { ...before, PGPORT: "1", PGDATA: "/nowhere", LC_ALL: "xx_XX", PGSSLMODE: "require" };
    const server = await start(await usedDataFolder());
    expect(await ask(server.url, "SELECT 1")).toEqual([1]);
  });
});

describe("one folder", () => {
  it("serves one process; another is told who has it", async () => {
    const data = await usedDataFolder();
    const holder = runProgram("server", data);
    await holder.printed(/^url /);
    await expect(startEmbeddedPostgres(data)).rejects.toMatchObject({
      code: "data-folder-locked",
      message: expect.stringContaining(`process ${holder.pid}`),
    });
    expect(await holder.end()).toBe(0);
    await start(data);
    await expect(startEmbeddedPostgres(data)).rejects.toMatchObject({ code: "data-folder-locked" });
  });

  it("goes to one of several that start at the same moment", async () => {
    const data = newDataFolder();
    const programs = [1, 2, 3].map(() => runProgram("server", data));
    const answers = await Promise.all(programs.map((program) => program.printed(/^(url|refused)/)));
    expect(answers.filter((answer) => answer.startsWith("url"))).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("refused data-folder-locked"))).toHaveLength(2);
    expect(programs.map((program) => program.complaints())).toEqual(["", "", ""]);
    await Promise.all(programs.map((program) => program.end()));
  });
});

describe("a process that is killed", () => {
  it("takes its server with it, and the next one has the data", async () => {
    const data = await usedDataFolder();
    const program = runProgram("server", data);
    const url = (await program.printed(/^url /)).slice(4);
    await ask(url, "CREATE TABLE kept AS SELECT 8 AS n");
    await program.kill();
    await until("the server is gone", async () => !(await serverRuns(data)));
    const next = await start(data);
    expect(await ask(next.url, "SELECT n FROM kept")).toEqual([8]);
  });

  it("is replaced at once, while its server is still stopping", async () => {
    const data = await usedDataFolder();
    for (let round = 0; round < 3; round++) {
      const program = runProgram("server", data);
      await program.printed(/^url /);
      await program.kill();
    }
    const next = await start(data);
    expect(await ask(next.url, "SELECT 1")).toEqual([1]);
  });

  it("leaves nothing half-made when it was making the database", async () => {
    const data = newDataFolder();
    const program = runProgram("server", data);
    const drafts = (): string[] =>
      existsSync(join(data, "postgres")) ? readdirSync(join(data, "postgres")).filter((name) => name !== "run") : [];
    await until("it is making the database", () => drafts().some((name) => name.startsWith("draft-")));
    await program.kill();
    expect(drafts()).not.toContain("data");
    const next = await start(data);
    expect(await ask(next.url, "SELECT 1")).toEqual([1]);
    expect(drafts()).toEqual(["data"]);
  });
});

describe("what an earlier server left", () => {
  it("is stopped when it still runs without an owner", async () => {
    const data = await usedDataFolder();
    // Opens the way to the new folder, too.
    await (await start(data)).stop();
    const account = await findAccount(join(data, "postgres/data"));
    const left = spawnServer({
      binaries: await findBinaries(account, join(data, "spare"), null),
      account,
      data: join(data, "postgres/data"),
      socketFolder: join(data, "postgres/run"),
      port: 5432,
      unrelatedPid: null,
    });
    cleanUps.push(() => left.stop());
    await until("it runs", () => existsSync(join(data, "postgres/run/.s.PGSQL.5432")));
    const server = await start(data);
    expect(left.hasExited()).toBe(true);
    expect(await ask(server.url, "SELECT 1")).toEqual([1]);
  });

  it("does not stop the start, nor harm a program that has got its pid", async () => {
    const data = await usedDataFolder();
    const account = await findAccount(join(data, "postgres/data"));
    const innocent = spawn("sleep", ["600"], { ...account, stdio: "ignore" });
    cleanUps.push(() => void innocent.kill("SIGKILL"));
    writeFileSync(join(data, "postgres/data/postmaster.pid"), `${innocent.pid}\n${data}/postgres/data\n`);
    const server = await start(data);
    expect(await ask(server.url, "SELECT 1")).toEqual([1]);
    expect(pidOf(data)).not.toBe(innocent.pid);
    expect({ code: innocent.exitCode, signal: innocent.signalCode }).toEqual({ code: null, signal: null });
  });
});

describe("what is not there", () => {
  it("is said with its cure: no PostgreSQL", async () => {
    const data = await usedDataFolder();
    await expect(startEmbeddedPostgres(data, { binFolder: dirname(data) })).rejects.toMatchObject({
      code: "postgres-missing",
      cure: expect.stringContaining("DATABASE_URL"),
    });
    // The folder is free again.
    await start(data);
  });

  it("is said with its cure: the version that made the data", async () => {
    const data = await usedDataFolder();
    writeFileSync(join(data, "postgres/data/PG_VERSION"), "9\n");
    await expect(startEmbeddedPostgres(data)).rejects.toMatchObject({ code: "postgres-other-version" });
  });

  it("is made: programs where the account can not reach those of node_modules", async () => {
    const spare = newDataFolder("spare");
    mkdirSync(spare);
    const account = await findAccount("/nonexistent");
    const binaries = copyPackage(spare, account);
    expect(binaries?.folder.startsWith(spare)).toBe(true);
    await openWayTo(spare, account);
    expect(await outputOf(join(binaries?.folder ?? "", "postgres"), ["--version"], account)).toContain("PostgreSQL");
    expect(await outputOf(join(binaries?.folder ?? "", "initdb"), ["--version"], account)).toContain("PostgreSQL");
    expect(copyPackage(spare, account)).toEqual(binaries);
  });
});

describe("root", () => {
  it("gives the server to another account, and says when that one can not reach the folder", async () => {
    const account = await findAccount("/nonexistent");
    expect(account.uid === undefined).toBe(!isRoot);
    expect(account.uid).not.toBe(0);
    // Not in the system's temporary folder: only there are parents opened.
    const parent = mkdtempSync("/var/tmp/gavel-store-");
    cleanUps.push(() => rmSync(parent, { recursive: true, force: true }));
    const outcome = await startEmbeddedPostgres(join(parent, "data")).then(
      async (server) => {
        await server.stop();
        return "started";
      },
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(isRoot ? "data-folder-unreachable" : "started");
    expect(statSync(parent).mode & 0o777).toBe(0o700);
  });
});
