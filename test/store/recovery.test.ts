import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { killPrograms, runProgram, type Program } from "./run-program.ts";
import { makeTemporaryFolder, openTestDatabase, until, urlOf } from "./support.ts";

const cleanUps: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  await killPrograms();
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const effectsOf = async (database: Database): Promise<string[]> =>
  (await database.pool.query<{ effect: string }>("SELECT effect FROM effects ORDER BY id")).rows.map(
    (row) => row.effect,
  );

const openGate = (database: Database): Promise<unknown> => database.pool.query("CREATE TABLE gates ()");

describe("one process with a server of its own, killed in the middle of a turn", () => {
  it("is followed by one that resumes, repeats the turn alone, and decides by the new rules from there on", async () => {
    const folder = makeTemporaryFolder();
    cleanUps.push(() => folder.remove());
    const data = join(folder.path, "data");
    const first = runProgram("worker", data, "old");
    await first.printed("ready");
    first.write("chain-1");
    await first.printed("turn begins");
    await first.kill();

    const second = runProgram("worker", data, "new");
    await second.printed("turn begins");
    await second.kill();

    // Between the two the folder is free: the database can be opened by anybody.
    const between = await openDatabase({ dataFolder: data });
    await openGate(between);
    await between.close();

    const third = runProgram("worker", data, "new");
    await third.printed("end");
    expect(await third.end()).toBe(0);
    const after = await openDatabase({ dataFolder: data });
    cleanUps.push(() => after.close());
    expect(await effectsOf(after)).toEqual([
      "first by old",
      "prepared",
      "turn begins",
      "turn begins",
      "turn begins",
      "turn ends",
      "last by new",
    ]);
    for (const program of [first, second, third]) expect(program.complaints()).toBe("");
    expect(third.lines().filter((line) => !/^(ready|turn|segment|last|end)/.test(line))).toEqual([]);
  });
});

describe("several processes on one database", () => {
  async function start(leaseSeconds: string): Promise<{ database: Database; url: string }> {
    const server = await openTestDatabase();
    cleanUps.push(() => server.close());
    const url = urlOf(server, `workers_${leaseSeconds}`);
    const database = await openDatabase({ url });
    cleanUps.push(() => database.close());
    return { database, url };
  }

  const effectsOfPid = async (database: Database, program: Program): Promise<string[]> =>
    (
      await database.pool.query<{ effect: string }>("SELECT effect FROM effects WHERE pid = $1 ORDER BY id", [
        program.pid,
      ])
    ).rows.map((row) => row.effect);

  it("take over what a killed one left, and nothing that a living one does", async () => {
    const { database, url } = await start("3");
    const [one, two] = [runProgram("worker", url, "old", "3"), runProgram("worker", url, "old", "3")];
    await Promise.all([one.printed("ready"), two.printed("ready")]);
    one.write("chain-1");
    await until("the turn runs", async () => (await effectsOf(database)).includes("turn begins"));
    // Either may have taken the segment from the queue.
    const [busy, other] = one.lines().includes("turn begins") ? [one, two] : [two, one];
    await busy.kill();
    await other.printed("turn begins");
    await openGate(database);
    await other.printed("turn ends");
    await until("the chain's last effect", async () => (await effectsOf(database)).includes("last by old"));
    expect((await effectsOf(database)).filter((effect) => effect !== "turn begins")).toEqual([
      "first by old",
      "prepared",
      "turn ends",
      "last by old",
    ]);
    expect(await other.end()).toBe(0);
  });

  it("end by themselves when they were stopped so long that another took over, before any further effect", async () => {
    const { database, url } = await start("4");
    const one = runProgram("worker", url, "old", "4");
    await one.printed("ready");
    one.write("chain-1");
    await one.printed("turn begins");
    one.signal("SIGSTOP");
    const two = runProgram("worker", url, "old", "4");
    await two.printed("turn begins");
    await openGate(database);
    await two.printed("end");
    one.signal("SIGCONT");
    await one.printed(/^fenced: /);
    expect(await one.end()).toBe(70);
    expect(await effectsOfPid(database, one)).toEqual(["first by old", "prepared", "turn begins"]);
    expect(await effectsOfPid(database, two)).toEqual(["turn begins", "turn ends", "last by old"]);
  });
});
