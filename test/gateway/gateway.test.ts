import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { describe, expect, it } from "vitest";
import { writeEvents } from "../../src/gateway/anthropic/message-events.ts";
import type { FinishedCall } from "../../src/gateway/answer-call.ts";
import { answerError, answerMessage, fakeModel, hang, messageOf, realKey, textOf } from "./fake-anthropic.ts";
import { ask, caller, errorOf, openBoth, wide } from "./with-gateway.ts";

const hello = messageOf([textOf("hello")]);

describe("keys and tokens", () => {
  it("puts the real key in, and keeps each side's secret from the other", async () => {
    const { access, provider } = await openBoth([answerMessage(hello)]);
    const response = await ask(access);
    expect(await response.json()).toEqual(hello);
    const [call] = provider.calls;
    expect(call?.headers["x-api-key"]).toBe(realKey);
    expect(call?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(JSON.stringify(call?.headers) + call?.body).not.toContain(access.token);
    expect(JSON.stringify([...response.headers])).not.toContain("org-secret");
    expect(access.token.length).toBeGreaterThan(40);
  });

  it("takes the token as a bearer too", async () => {
    const { access, provider } = await openBoth([answerMessage(hello)]);
    const response = await ask(access, {}, { headers: { authorization: `Bearer ${access.token}` } });
    expect(response.status).toBe(200);
    expect(JSON.stringify(provider.calls[0]?.headers)).not.toContain(access.token);
  });

  it.each([
    ["no token", {}],
    ["another token", { "x-api-key": "gavel-AAAA" }],
    ["the real key", { "x-api-key": realKey }],
  ])("refuses %s", async (_, headers) => {
    const { access, provider } = await openBoth([]);
    const response = await ask(access, {}, { headers });
    expect(response.status).toBe(401);
    expect(provider.calls).toEqual([]);
  });

  it("lets a token die at its revoke, and a running call with it", async () => {
    const { access, provider } = await openBoth([hang]);
    const running = ask(access);
    while (provider.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    access.revoke();
    expect((await running).status).toBe(504);
    await provider.calls[0]?.closed;
    expect((await ask(access)).status).toBe(401);
  });

  it("keeps the key out of an error of the provider", async () => {
    const { access } = await openBoth([answerError(400, `bad request by ${realKey}`, { "retry-after": "3" })]);
    const response = await ask(access);
    expect(response.status).toBe(400);
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await errorOf(response)).toBe("bad request by [redacted]");
  });
});

describe("what can be reached", () => {
  const post = (url: string, token: string) =>
    fetch(url, { method: "POST", headers: { "x-api-key": token }, body: "{}" });

  it.each(["/v1/complete", "/anthropic/v1/files", "/anthropic/v1/messages/batches", "/anthropic/v1/messages?x=1", "/"])(
    "nothing is at %s",
    async (path) => {
      const { access, provider } = await openBoth([]);
      const response = await post(new URL(path, access.baseUrl).href, access.token);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toBe("there is nothing at this address");
      expect(provider.calls).toEqual([]);
    },
  );

  it("is no proxy to other hosts", async () => {
    const { access, provider } = await openBoth([]);
    const { port } = new URL(access.baseUrl);
    const asProxy = requestHttp({
      port,
      path: `${provider.baseUrl}/v1/messages`,
      method: "POST",
      headers: { "x-api-key": access.token },
    });
    asProxy.end("{}");
    const [response] = (await once(asProxy, "response")) as [import("node:http").IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(404);
    const tunnel = requestHttp({ port, path: new URL(provider.baseUrl).host, method: "CONNECT" });
    tunnel.end();
    const ended = await once(tunnel, "connect").then(
      () => "tunnel",
      () => "refused",
    );
    expect(ended).toBe("refused");
    expect(provider.calls).toEqual([]);
  });

  it("counts tokens for a caller without a reservation", async () => {
    const { access, provider, book } = await openBoth([(response) => void response.end('{"input_tokens":7}')]);
    const response = await fetch(`${access.baseUrl}/messages/count_tokens?beta=true`, {
      method: "POST",
      headers: { "x-api-key": access.token },
      body: JSON.stringify({ model: fakeModel, messages: [] }),
    });
    expect(await response.json()).toEqual({ input_tokens: 7 });
    expect(provider.calls[0]?.url).toBe("/v1/messages/count_tokens");
    expect(book.rows).toEqual([]);
  });

  it("serves only the granted model", async () => {
    const { access, provider } = await openBoth([]);
    const response = await ask(access, { model: "claude-opus-4-20250514" });
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toBe(
      `this access is for the model "${fakeModel}", not for "claude-opus-4-20250514"`,
    );
    expect(provider.calls).toEqual([]);
  });

  it("sends what it checked where a key stands twice", async () => {
    const { access, provider } = await openBoth([answerMessage(hello)]);
    const body = `{"model":"another","max_tokens":9,"messages":[],"model":"${fakeModel}"}`;
    expect((await ask(access, {}, { body })).status).toBe(200);
    expect(provider.calls[0]?.body).not.toContain("another");
  });

  it.each([
    ["a provider's tool", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["a remote tool server", { mcp_servers: [{ type: "url", url: "https://example.com", name: "x" }] }],
    [
      "a picture by address",
      {
        messages: [
          { role: "user", content: [{ type: "image", source: { type: "url", url: "https://example.com/a" } }] },
        ],
      },
    ],
    [
      "a document in a tool's result",
      {
        messages: [
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "t",
                content: [{ type: "document", source: { type: "content", content: [{ source: { type: "url" } }] } }],
              },
            ],
          },
        ],
      },
    ],
  ])("refuses %s: the sandbox has no network", async (_, body) => {
    const { access, provider } = await openBoth([]);
    const response = await ask(access, body);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toContain("reach the network");
    expect(provider.calls).toEqual([]);
  });

  it.each(["null", "[]", "{", '{"model":1}', `{"model":"${fakeModel}","messages":[],"max_tokens":1e12}`])(
    "refuses the body %s",
    async (body) => {
      const { access, provider } = await openBoth([]);
      expect((await ask(access, {}, { body })).status).toBe(400);
      expect(provider.calls).toEqual([]);
    },
  );

  it("refuses a body over the limit, told or not", async () => {
    const { access, provider } = await openBoth([answerMessage(hello)]);
    const { port, pathname } = new URL(`${access.baseUrl}/messages`);
    const headers = { "x-api-key": access.token };
    const told = requestHttp({
      port,
      path: pathname,
      method: "POST",
      headers: { ...headers, "content-length": 2 ** 26 },
    });
    told.on("error", () => undefined).flushHeaders();
    const [first] = (await once(told, "response")) as [import("node:http").IncomingMessage];
    told.destroy();
    const untold = requestHttp({ port, path: pathname, method: "POST", headers });
    const answered = once(untold, "response") as Promise<[import("node:http").IncomingMessage]>;
    untold.on("error", () => undefined);
    for (let sent = 0; sent < 33; sent += 1) untold.write(Buffer.alloc(1024 * 1024, 32));
    const [second] = await answered;
    untold.destroy();
    expect([first.statusCode, second.statusCode]).toEqual([413, 413]);
    expect((await ask(access)).status).toBe(200);
    expect(provider.calls.length).toBe(1);
  });

  it("follows no redirect", async () => {
    const { access, provider } = await openBoth([
      (response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
    ]);
    const response = await ask(access);
    expect(response.status).toBe(502);
    expect(await errorOf(response)).toContain("redirect (307)");
    expect(provider.calls.length).toBe(1);
  });
});

describe("streams", () => {
  it("passes the first bytes on before the provider has finished", async () => {
    const events = [...writeEvents(messageOf([textOf("one"), textOf("two")]))];
    let finish = () => undefined as void;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    const { access } = await openBoth([
      async (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(events[0]);
        // Only the test's own reading of the first event lets the rest go.
        await mayFinish;
        response.end(events.slice(1).join(""));
      },
    ]);
    const response = await ask(access, { stream: true });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(events[0]);
    finish();
    let rest = "";
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      rest += Buffer.from(part.value).toString();
    expect(rest).toBe(events.slice(1).join(""));
  });

  it("ends with an error event where the provider breaks off", async () => {
    const { access, book } = await openBoth([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write([...writeEvents(hello)].slice(0, 2).join(""), () => response.destroy());
      },
    ]);
    const text = await (await ask(access, { stream: true })).text();
    expect(text).toContain("event: error");
    expect(text).toContain("broke the reply off");
    expect(book.rows[0]?.used?.inputTokens).toBe(10);
  });

  it("ends the provider's call when the caller goes away", async () => {
    const { access, provider, book } = await openBoth([hang]);
    const abort = new AbortController();
    const asked = ask(access, { stream: true }, { signal: abort.signal });
    while (provider.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await expect(asked).rejects.toThrow("abort");
    await provider.calls[0]?.closed;
    while (book.order.length < 2) await new Promise((resolve) => setImmediate(resolve));
    // Nobody knows whether the provider bills it, so its input counts.
    expect(book.rows[0]?.used?.inputTokens).toBeGreaterThan(0);
  });

  it("ends a call at its time limit", async () => {
    const { access } = await openBoth([hang], wide, { callSecondsMax: 0.05 });
    const response = await ask(access);
    expect(response.status).toBe(504);
    expect(await errorOf(response)).toBe("the call took longer than 0.05 seconds");
  });
});

describe("errors of the provider", () => {
  it.each([401, 429, 500, 529])("passes %i on, uncounted", async (status) => {
    const { access, book } = await openBoth([answerError(status, "no")]);
    const response = await ask(access, { stream: true });
    expect([response.status, await errorOf(response)]).toEqual([status, "no"]);
    expect(book.rows[0]?.used).toEqual({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, usd: 0 });
  });

  it("says that a provider can not be reached, and that none is set", async () => {
    const { access, provider } = await openBoth([]);
    await provider.close();
    const unreachable = await ask(access);
    expect([unreachable.status, await errorOf(unreachable)]).toEqual([
      502,
      "the model's provider could not be reached (ECONNREFUSED)",
    ]);
    const none = await openBoth([], wide, { upstream: null });
    expect((await ask(none.access)).status).toBe(503);
  });

  it("tells each call that is over", async () => {
    const finished: FinishedCall[] = [];
    const { access } = await openBoth([answerMessage(hello), answerError(500, "no")], wide, {
      onCall: (call) => finished.push(call),
    });
    await ask(access);
    await ask(access);
    expect(finished).toMatchObject([
      { caller, model: fakeModel, status: 200, usage: { calls: 1, outputTokens: 5 }, cut: null, settled: true },
      { status: 500, usage: { outputTokens: 0 } },
    ]);
  });
});
