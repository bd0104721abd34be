import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../src/store/folder-lock.ts";
import { killPrograms, runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./support.ts";

const cleanUps: (() => void)[] = [];

afterEach(async () => {
  await killPrograms();
  for (const cleanUp of cleanUps.splice(0).toReversed()) cleanUp();
});

function newFolder(): { readonly locks: string; readonly socket: string } {
  const folder = makeTemporaryFolder();
  cleanUps.push(() => folder.remove());
  return { locks: join(folder.path, "lock"), socket: join(folder.path, "s") };
}

const refused = { code: "data-folder-locked" };

describe("a folder's lock", () => {
  it("is held until it is given back", async () => {
    const { locks, socket } = newFolder();
    const lock = await lockFolder(locks, socket);
    await expect(lockFolder(locks, socket)).rejects.toMatchObject(refused);
    lock.release();
    const next = await lockFolder(locks, socket);
    await expect(lockFolder(locks, socket)).rejects.toMatchObject(refused);
    next.release();
    expect(readdirSync(locks)).toHaveLength(1);
  });

  it("of a killed process goes to exactly one of many that want it", async () => {
    const { locks, socket } = newFolder();
    for (let round = 0; round < 2; round++) {
      const dead = runProgram("lock", locks, socket);
      await dead.printed("taken");
      await dead.kill();
      const many = Array.from({ length: 4 }, () => runProgram("lock", locks, socket));
      const answers = await Promise.all(many.map((program) => program.printed(/^(taken|refused)/)));
      expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
      await killPrograms();
    }
  });

  it("of a dead process is not that of a later one with the same pid", async () => {
    const { locks, socket } = newFolder();
    await lockFolder(locks, socket);
    const [name = ""] = readdirSync(locks);
    const holder = JSON.parse(readFileSync(join(locks, name), "utf8"));
    writeFileSync(join(locks, name), JSON.stringify({ ...holder, startedAt: "1" }));
    (await lockFolder(locks, socket)).release();
  });

  it("of another container counts while its server answers", async () => {
    const { locks, socket } = newFolder();
    await lockFolder(locks, socket);
    const [name = ""] = readdirSync(locks);
    const holder = JSON.parse(readFileSync(join(locks, name), "utf8"));
    writeFileSync(join(locks, name), JSON.stringify({ ...holder, place: "another-host boot pid:[1]" }));
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(lockFolder(locks, socket)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("another-host"),
    });
    await new Promise((resolve) => server.close(resolve));
    (await lockFolder(locks, socket)).release();
  });

  it("that was torn by a power failure holds nobody up", async () => {
    const { locks, socket } = newFolder();
    (await lockFolder(locks, socket)).release();
    const [name = ""] = readdirSync(locks);
    writeFileSync(join(locks, name), "");
    (await lockFolder(locks, socket)).release();
  });
});
