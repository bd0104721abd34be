import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainEvent } from "../../src/domain/event.ts";
import type { Decision } from "../../src/domain/step.ts";
import { blobBytesMax } from "../../src/store/blobs.ts";
import type { Database } from "../../src/store/database.ts";
import { openRecords, type StoredRecords } from "../../src/store/records.ts";
import { openTestDatabase, triggerOf } from "./support.ts";

let database: Database;
let records: StoredRecords;

beforeAll(async () => {
  database = await openTestDatabase();
  records = openRecords(database.pool);
});

afterAll(async () => {
  await database.close();
});

const announced = (commentId: number): ChainEvent => ({ kind: "announced", commentId });
let items = 1000;

/** Opens a chain on an item of its own. */
async function openOne(id: string): Promise<string> {
  items += 1;
  expect(await records.openChain(id, triggerOf(`delivery of ${id}`, items), { rules: id })).toEqual({
    kind: "opened",
    chain: id,
  });
  return id;
}

describe("a chain and its slot", () => {
  it("keeps what was pinned and the trigger exactly, odd characters too", async () => {
    const trigger = triggerOf("exact", 1);
    const pinned = { b: 1, a: ["\u0000", { deep: null }] };
    await records.openChain("exact", trigger, pinned);
    expect(JSON.stringify(await records.readPinned("exact"))).toBe(JSON.stringify(pinned));
    expect(await records.readChain("exact")).toMatchObject({ id: "exact", trigger, endedAt: null, outcome: null });
    expect(await records.readChain("none")).toBeNull();
    expect(await records.readPinned("none")).toBeNull();
  });

  it("gives the same chain to the same delivery, also after its end", async () => {
    const trigger = triggerOf("same", 2);
    expect(await records.openChain("same-1", trigger, {})).toEqual({ kind: "opened", chain: "same-1" });
    expect(await records.openChain("same-2", trigger, {})).toEqual({ kind: "exists", chain: "same-1" });
    await records.endChain("same-1", "passed");
    expect(await records.openChain("same-3", trigger, {})).toEqual({ kind: "exists", chain: "same-1" });
  });

  it("takes the same delivery id of another hook for another delivery", async () => {
    await records.openChain("hook-1", triggerOf("shared", 3), {});
    const other = { ...triggerOf("shared", 4), hookId: "another" };
    expect(await records.openChain("hook-2", other, {})).toEqual({ kind: "opened", chain: "hook-2" });
  });

  it("is busy while a chain runs on the item, and free as soon as it ends, for the same content too", async () => {
    await records.openChain("slot-1", triggerOf("slot-1", 5), {});
    expect(await records.openChain("slot-2", triggerOf("slot-2", 5), {})).toEqual({ kind: "busy", chain: "slot-1" });
    expect(await records.runningChain(10, 5)).toBe("slot-1");
    await records.endChain("slot-1", "red");
    expect(await records.runningChain(10, 5)).toBeNull();
    expect(await records.openChain("slot-2", triggerOf("slot-2", 5), {})).toEqual({ kind: "opened", chain: "slot-2" });
    expect(await records.lastChain(10, 5)).toBe("slot-2");
    expect(await records.chainBefore("slot-2")).toBe("slot-1");
    expect(await records.chainBefore("slot-1")).toBeNull();
  });

  it("is not shared with the same number in another repository", async () => {
    await records.openChain("repo-1", triggerOf("repo-1", 6, 10), {});
    expect(await records.openChain("repo-2", triggerOf("repo-2", 6, 11), {})).toMatchObject({ kind: "opened" });
  });

  it("goes to one of many that ask at the same moment", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => records.openChain(`rush-${at}`, triggerOf(`rush-${at}`, 7), {})),
    );
    const opened = answers.filter((answer) => answer.kind === "opened");
    expect(opened).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.chain))).toEqual(new Set([opened[0]?.chain]));
  });

  it("keeps its first outcome when the end is repeated", async () => {
    const chain = await openOne("ended");
    await records.endChain(chain, "cancelled");
    const first = await records.readChain(chain);
    await records.endChain(chain, "passed");
    expect(await records.readChain(chain)).toEqual(first);
    expect(first).toMatchObject({ outcome: "cancelled" });
  });

  it("counts the chains that were opened before and have not ended", async () => {
    const before = await records.chainsAhead(await openOne("ahead-0"));
    await records.openChain("ahead-1", triggerOf("ahead-1", 8, 77), {});
    await records.openChain("ahead-2", triggerOf("ahead-2", 9, 77), {});
    const last = await openOne("ahead-3");
    expect(await records.chainsAhead(last)).toEqual({ inRepository: before.inRepository + 1, inAll: before.inAll + 3 });
    expect(await records.chainsAhead("ahead-2")).toEqual({ inRepository: 1, inAll: before.inAll + 2 });
    await records.endChain("ahead-1", "passed");
    expect(await records.chainsAhead("ahead-2")).toEqual({ inRepository: 0, inAll: before.inAll + 1 });
  });
});

describe("events", () => {
  it("are numbered from 0 without gaps, whoever appends at the same moment", async () => {
    const chain = await openOne("numbers");
    const sequences = await Promise.all(
      Array.from({ length: 40 }, (_, at) => records.appendEvent(chain, `key-${at}`, announced(at))),
    );
    const expected = Array.from({ length: 40 }, (_, at) => at);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(expected);
    const stored = await records.readEvents(chain);
    expect(stored.map((entry) => entry.sequence)).toEqual(expected);
    const times = stored.map((entry) => entry.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("stand once for each key: a repeat gives the first one's place and leaves no gap", async () => {
    const chain = await openOne("keys");
    const rushed = await Promise.all(
      Array.from({ length: 10 }, (_, at) => records.appendEvent(chain, "one", announced(at))),
    );
    expect(new Set(rushed)).toEqual(new Set([0]));
    expect(await records.appendEvent(chain, "two", announced(99))).toBe(1);
    expect(await records.appendEvent(chain, "one", announced(98))).toBe(0);
    expect(await records.appendEvent(chain, "three", announced(97))).toBe(2);
    const stored = await records.readEvents(chain);
    expect(stored.map((entry) => entry.key)).toEqual(["one", "two", "three"]);
    expect(stored[0]?.event).not.toEqual(announced(98));
  });

  it("keep texts of others as they are", async () => {
    const chain = await openOne("texts");
    const event: ChainEvent = { kind: "budget-spent", reason: "nul \u0000, half a pair \ud800, \u{1f600}" };
    await records.appendEvent(chain, "odd", event);
    expect((await records.readEvents(chain))[0]?.event).toEqual(event);
  });

  it("need their chain", async () => {
    await expect(records.appendEvent("no such chain", "key", announced(1))).rejects.toThrow("no such chain");
  });
});

describe("decisions", () => {
  const decision = (reason: string): Decision => ({ step: { kind: "announce" }, reason });

  it("stand as they were made first, whatever a later version would decide", async () => {
    const chain = await openOne("decisions");
    expect(await records.lastDecision(chain)).toBeNull();
    expect(await records.recordDecision(chain, -1, decision("first"), "1")).toEqual(decision("first"));
    expect(await records.recordDecision(chain, -1, decision("other"), "2")).toEqual(decision("first"));
    expect(await records.recordDecision(chain, 0, decision("next"), "2")).toEqual(decision("next"));
    expect(await records.lastDecision(chain)).toEqual(decision("next"));
  });

  it("are one and the same for all who decide at the same moment", async () => {
    const chain = await openOne("decided-at-once");
    const stored = await Promise.all(
      Array.from({ length: 10 }, (_, at) => records.recordDecision(chain, 3, decision(String(at)), "1")),
    );
    expect(new Set(stored.map((entry) => entry.reason)).size).toBe(1);
  });
});

describe("blobs", () => {
  it("come back byte for byte, small and large, and are overwritten by a repeat", async () => {
    const chain = await openOne("blobs");
    for (const bytes of [Buffer.alloc(0), randomBytes(3_000_000), Buffer.alloc(20_000_000, "x")]) {
      await records.putBlob(chain, "patch-1-1", bytes);
      const read = await records.getBlob(chain, "patch-1-1");
      expect(Buffer.compare(read ?? Buffer.from("none"), bytes)).toBe(0);
    }
    expect(await records.getBlob(chain, "other")).toBeNull();
    const { rows } = await database.pool.query(
      "SELECT octet_length(data) AS size FROM gavel.blobs WHERE chain_id = $1",
      [chain],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].size).toBeLessThan(100_000);
  });

  it("have a largest size", async () => {
    const chain = await openOne("large");
    await expect(records.putBlob(chain, "huge", new Uint8Array(blobBytesMax + 1))).rejects.toMatchObject({
      code: "blob-too-large",
    });
    expect(await records.getBlob(chain, "huge")).toBeNull();
  });
});

describe("spending", () => {
  const call = { role: "implementer", run: 1, turn: 1, model: "m", tokensMax: 1000, usdMax: 0.5 };

  it("counts what is not settled in full, and what is settled as it was", async () => {
    const chain = await openOne("spending");
    expect(await records.readSpending(chain)).toEqual({ tokens: 0, usd: 0, calls: 0 });
    const first = await records.reserveSpending(chain, call);
    await records.reserveSpending(chain, call);
    expect(await records.readSpending(chain)).toEqual({ tokens: 2000, usd: 1, calls: 2 });
    const used = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50, usd: 0.1 };
    await records.settleSpending(first, used);
    expect(await records.readSpending(chain)).toEqual({ tokens: 1120, usd: 0.6, calls: 2 });
    await records.settleSpending(first, { ...used, inputTokens: 0 });
    expect(await records.readSpending(chain)).toEqual({ tokens: 1120, usd: 0.6, calls: 2 });
  });

  it("does not take an unknown price for zero", async () => {
    const chain = await openOne("unpriced");
    const reservation = await records.reserveSpending(chain, call);
    await records.reserveSpending(chain, { ...call, usdMax: null });
    expect(await records.readSpending(chain)).toMatchObject({ usd: null });
    await records.settleSpending(reservation, { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, usd: null });
    expect(await records.readSpending(chain)).toEqual({ tokens: 1002, usd: null, calls: 2 });
  });
});
