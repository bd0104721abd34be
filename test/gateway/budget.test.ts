import { describe, expect, it } from "vitest";
import { writeEvents } from "../../src/gateway/anthropic/message-events.ts";
import { findPrice, priceTokens } from "../../src/gateway/price.ts";
import type { Answer } from "./fake-anthropic.ts";
import { answerMessage, fakeModel, messageOf, textOf } from "./fake-anthropic.ts";
import { openSpendingBook } from "./spending-book.ts";
import { ask, caller, errorOf, openBoth, wide } from "./with-gateway.ts";

const price = { inputUsdPerMillion: 10, outputUsdPerMillion: 100, cachedInputUsdPerMillion: 1 };
const prices = { [fakeModel]: price };
const costs = (input: number, output: number) =>
  answerMessage(messageOf([textOf("x")], { input_tokens: input, output_tokens: output }));

/** A stream that never ends by itself: only the gateway's hanging up ends it. */
const endless: Answer = async (response) => {
  const [start = "", block = "", delta = ""] = writeEvents(messageOf([textOf("a".repeat(400))], { input_tokens: 50 }));
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(start + block);
  while (!response.destroyed) {
    response.write(delta);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe("usage", () => {
  it.each([true, false])("is read from the reply and summed (stream: %s)", async (stream) => {
    const usage = {
      input_tokens: 100,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 1000,
      output_tokens: 50,
    };
    const script = [answerMessage(messageOf([textOf("x")], usage)), costs(7, 3)];
    const { access, book } = await openBoth(script, wide, { prices });
    await (await ask(access, { stream })).text();
    const usd = (100 * 10 + 20 * 20 + 1000 * 1 + 50 * 100) / 1e6;
    expect(access.usage()).toEqual({ calls: 1, inputTokens: 1120, outputTokens: 50, cachedInputTokens: 1000, usd });
    expect(book.rows[0]?.used).toEqual({ inputTokens: 1120, outputTokens: 50, cachedInputTokens: 1000, usd });
    await (await ask(access, { stream })).text();
    expect(access.usage()).toMatchObject({ calls: 2, inputTokens: 1127, outputTokens: 53 });
  });

  it("takes a stream's cumulative values as they are, never added", async () => {
    const events = [
      { type: "message_start", message: { usage: { input_tokens: 100, output_tokens: 1 } } },
      { type: "message_delta", delta: {}, usage: { output_tokens: 20 } },
      { type: "message_delta", delta: {}, usage: { input_tokens: 130, output_tokens: 45 } },
      { type: "message_stop" },
    ];
    const { access } = await openBoth([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        // In pieces that cut events, lines and a character in the middle.
        const bytes = Buffer.from(
          events.map((event) => `data: ${JSON.stringify({ ...event, note: "é" })}\n\n`).join(""),
        );
        for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
        response.end();
      },
    ]);
    await (await ask(access, { stream: true })).text();
    expect(access.usage()).toMatchObject({ inputTokens: 130, outputTokens: 45 });
  });

  it("is settled before the caller can see the end of its reply", async () => {
    const { access, book } = await openBoth([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        // The end of the message, but not of the connection.
        response.write([...writeEvents(messageOf([textOf("x")]))].join(""));
      },
    ]);
    const reader = (await ask(access, { stream: true })).body?.getReader();
    let seen = "";
    while (!seen.includes("message_stop")) seen += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(book.order).toEqual(["reserve", "settle"]);
    await reader?.cancel();
  });
});

describe("prices", () => {
  it("come from the operator first, then from the published list, and else are unknown", () => {
    expect(findPrice(fakeModel, prices)).toBe(price);
    expect(findPrice(fakeModel, {})?.outputUsdPerMillion).toBe(15);
    expect(findPrice("no-such-model", {})).toBeNull();
    expect(findPrice("constructor", {})).toBeNull();
    const tokens = { plainInput: 1, cacheRead: 0, cacheWrite: 0, output: 0 };
    expect(priceTokens(null, tokens)).toBeNull();
    expect(priceTokens(null, { ...tokens, plainInput: 0 })).toBe(0);
  });

  it("refuse a call where there is a money limit and no price", async () => {
    const { gateway, provider } = await openBoth([]);
    const access = await gateway.grant(caller, "claude-of-tomorrow", { usdMax: 5, tokensMax: 1e9 });
    const response = await ask(access);
    expect(response.status).toBe(402);
    expect(await errorOf(response)).toBe(
      'budget spent: the price of the model "claude-of-tomorrow" is not known, so the limit of $5.00 for this chain can not be kept; the operator can set a price',
    );
    expect(access.budgetSpent()).toContain("is not known");
    expect(provider.calls).toEqual([]);
  });

  it("may be unknown where money has no limit, and the usage says so", async () => {
    const { gateway } = await openBoth([costs(1, 1)]);
    const access = await gateway.grant(caller, "claude-of-tomorrow", {
      usdMax: Number.POSITIVE_INFINITY,
      tokensMax: 1e9,
    });
    expect((await ask(access)).status).toBe(200);
    expect(access.usage().usd).toBeNull();
  });
});

describe("limits", () => {
  it("reserve the most before anything is sent, and replace it after", async () => {
    let atProvider: readonly unknown[] = [];
    const book = openSpendingBook();
    const { access } = await openBoth(
      [
        (response, call) => {
          atProvider = structuredClone(book.rows);
          return costs(20, 10)(response, call);
        },
      ],
      wide,
      { spending: book, prices },
    );
    await ask(access, { max_tokens: 5000 });
    expect(atProvider).toMatchObject([
      { chain: "chain-1", reserved: { role: "implementer", run: 1, turn: 1 }, used: null },
    ]);
    const [row] = book.rows;
    expect(row?.reserved.tokensMax).toBeGreaterThan(5000);
    expect(row?.reserved.usdMax).toBeGreaterThan(0.5);
    expect(row?.used).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  it.each([
    ["tokens", { usdMax: 1000, tokensMax: 1_050 }, "budget spent: 1,100 of 1,050 tokens for this chain"],
    ["money", { usdMax: 0.05, tokensMax: 1e9 }, "budget spent: $0.11 of $0.05 for this chain"],
  ])("refuse a call once the %s are spent", async (_, limits, sentence) => {
    const { access, provider, book } = await openBoth([costs(100, 1000)], limits, {
      prices: { [fakeModel]: { ...price, inputUsdPerMillion: 100 } },
    });
    expect((await ask(access)).status).toBe(200);
    expect(access.budgetSpent()).toBeNull();
    const refused = await ask(access);
    expect([refused.status, await errorOf(refused)]).toEqual([402, sentence]);
    expect(access.budgetSpent()).toBe(sentence);
    expect(provider.calls.length).toBe(1);
    expect(book.rows.length).toBe(1);
  });

  it.each([
    ["tokens", { usdMax: 1000, tokensMax: 2_000 }],
    ["money", { usdMax: 0.2, tokensMax: 1e9 }],
  ])("cut a running stream off when its %s pass them", async (_, limits) => {
    const { access, provider, book } = await openBoth([endless], limits, { prices });
    const text = await (await ask(access, { stream: true })).text();
    expect(text).toContain("event: error\ndata: ");
    expect(text).toContain(access.budgetSpent() ?? "nothing");
    expect(access.budgetSpent()).toMatch(/^budget spent: .* for this chain$/);
    await provider.calls[0]?.closed;
    // Estimated from what passed: 400 characters are 100 tokens an event.
    expect(book.rows[0]?.used?.outputTokens).toBeGreaterThan(1_900);
    expect(book.rows[0]?.used?.outputTokens).toBeLessThan(4_000);
    expect((await ask(access)).status).toBe(402);
  });

  it("hold for the whole chain, and count in full what a dead process reserved", async () => {
    const book = openSpendingBook();
    await book.reserve("chain-1", { role: "judge", run: 1, turn: 0, model: fakeModel, tokensMax: 900, usdMax: 0.1 });
    const { gateway } = await openBoth([costs(1, 1)], wide, { spending: book });
    const limits = { usdMax: 100, tokensMax: 900 };
    expect((await ask(await gateway.grant(caller, fakeModel, limits))).status).toBe(402);
    expect((await ask(await gateway.grant({ ...caller, chain: "chain-2" }, fakeModel, limits))).status).toBe(200);
  });

  it("let parallel calls of a chain run side by side, and cut them off together", async () => {
    const { gateway, provider, book } = await openBoth([endless, endless], wide, { prices });
    // Each alone reserves more than the limit.
    const limits = { usdMax: 1000, tokensMax: 8_000 };
    const one = ask(await gateway.grant(caller, fakeModel, limits), { stream: true, max_tokens: 20_000 });
    const other = ask(await gateway.grant({ ...caller, role: "judge" }, fakeModel, limits), {
      stream: true,
      max_tokens: 20_000,
    });
    const texts = await Promise.all([one, other].map(async (response) => (await response).text()));
    expect(provider.calls.length).toBe(2);
    expect(texts.every((text) => text.includes("budget spent"))).toBe(true);
    const outputs = book.rows.map((row) => row.used?.outputTokens ?? 0);
    expect(Math.min(...outputs)).toBeGreaterThan(0);
    expect(outputs.reduce((sum, output) => sum + output, 0)).toBeLessThan(12_000);
  });

  it("let nothing through while the book can not be written", async () => {
    const book = openSpendingBook();
    const { access, provider } = await openBoth([], wide, {
      spending: { ...book, reserve: () => Promise.reject(new Error("the database is away")) },
    });
    const response = await ask(access);
    expect([response.status, await errorOf(response)]).toEqual([
      503,
      "the call was not made: the spending book could not be written",
    ]);
    expect(provider.calls).toEqual([]);
  });

  it("keep a reservation that could not be settled", async () => {
    const book = openSpendingBook();
    const { access } = await openBoth(
      [costs(1, 1)],
      { usdMax: 1000, tokensMax: 100 },
      {
        spending: { ...book, settle: () => Promise.reject(new Error("the database is away")) },
      },
    );
    expect((await ask(access)).status).toBe(200);
    expect((await ask(access)).status).toBe(402);
  });
});
