import { createHmac } from "node:crypto";
import { createServer, request as open, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { pino } from "pino";
import { Probot } from "probot";
import { afterEach, expect, test } from "vitest";
import type { Delivery } from "../../src/store/record.ts";
import { createDoor, webhookPath, type DoorOptions } from "../../src/webhooks/door.ts";
import { serve } from "../../src/webhooks/serve.ts";
import { commented, labeled, own } from "./payloads.ts";

const secret = "a secret of this test";
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Doorway {
  readonly url: string;
  readonly port: number;
  readonly stored: Delivery[];
  readonly log: string[];
}

/** A door on loopback that stores into a list, as the table does: a delivery once. */
async function openDoor(options: Partial<DoorOptions> = {}): Promise<Doorway> {
  const stored: Delivery[] = [];
  const log: string[] = [];
  const door = createDoor({
    webhookSecret: secret,
    own,
    log: pino({ level: "trace" }, { write: (line: string) => void log.push(line) }),
    store: async (delivery) => {
      if (stored.some(({ deliveryId }) => deliveryId === delivery.deliveryId)) return "duplicate";
      stored.push(delivery);
      return Promise.resolve("stored");
    },
    ...options,
  });
  const server = createServer((request, response) => {
    void door(request, response).then((taken) => taken || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${webhookPath}`, port, stored, log };
}

const sign = (body: string | Buffer): string => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function headersFor(
  body: string | Buffer,
  event = "issues",
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": "d-1",
    "x-github-hook-id": "5",
    "x-hub-signature-256": sign(body),
    ...more,
  };
}

async function post(url: string, body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json()) as { status?: string; error?: string } };
}

const label = JSON.stringify(labeled());

test("a signed label is stored once, as it came", async () => {
  const { url, stored } = await openDoor();
  expect(await post(url, label, headersFor(label))).toEqual({ status: 202, body: { status: "stored" } });
  expect(await post(url, label, headersFor(label))).toEqual({ status: 202, body: { status: "duplicate" } });
  expect(stored).toEqual([
    {
      hookId: "5",
      deliveryId: "d-1",
      event: "issues",
      action: "labeled",
      payload: JSON.parse(label) as unknown,
      receivedAt: expect.any(Date) as Date,
    },
  ]);
});

test("text beyond ASCII is verified as bytes", async () => {
  const { url, stored } = await openDoor();
  const body = JSON.stringify(commented("/implement größer 😀 \u2028"));
  expect((await post(url, body, headersFor(body, "issue_comment"))).status).toBe(202);
  expect(stored).toHaveLength(1);
});

test.each([
  ["a push", "push", "{}"],
  ["a ping", "ping", '{"zen":"x"}'],
  ["a comment without a command", "issue_comment", JSON.stringify(commented("hello"))],
  ["a null body", "issue_comment", JSON.stringify(commented(null))],
  ["a deleted account", "issues", JSON.stringify(labeled({ sender: null }))],
])("%s is answered and touches no store", async (_what, event, body) => {
  const { url, stored } = await openDoor();
  expect(await post(url, body, headersFor(body, event))).toEqual({ status: 200, body: { status: "ignored" } });
  expect(stored).toEqual([]);
});

test.each([
  ["a bad signature", 401, label, { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }],
  ["a signature of another length", 401, label, { "x-hub-signature-256": "sha256=00" }],
  ["the signature of another body", 401, label, { "x-hub-signature-256": sign("{}") }],
  ["invalid JSON", 400, '{"action": "labeled"', {}],
  ["JSON that is no object", 400, "[]", {}],
  ["JSON null", 400, "null", {}],
  ["an empty body", 400, "", {}],
  ["a form", 415, "payload=%7B%7D", { "content-type": "application/x-www-form-urlencoded" }],
  ["a compressed body", 415, label, { "content-encoding": "gzip" }],
  ["an event's name with a line break in it", 400, label, { "x-github-event": "issues\tx" }],
  ["a delivery's id of another shape", 400, label, { "x-github-delivery": "../x" }],
])("%s: %d, nothing stored, nothing of it logged", async (_what, status, body, more) => {
  const { url, stored, log } = await openDoor();
  const answer = await post(url, body, headersFor(body, "issues", more));
  expect(answer).toEqual({ status, body: { error: expect.any(String) as string } });
  expect(stored).toEqual([]);
  expect(log.join("")).toContain("refused");
  expect(log.join("")).not.toContain("It breaks");
});

test.each(["x-github-event", "x-github-delivery", "x-hub-signature-256"])("without %s: 400", async (name) => {
  const { url, stored } = await openDoor();
  const headers = Object.fromEntries(Object.entries(headersFor(label)).filter(([key]) => key !== name));
  const answer = await post(url, label, headers);
  expect(answer.status).toBe(400);
  expect(answer.body.error?.toLowerCase()).toContain(name);
  expect(stored).toEqual([]);
});

test("a body of 30 MB: 413, with and without its length said", async () => {
  const { url, port, stored } = await openDoor();
  const body = Buffer.alloc(30 * 1024 * 1024, 32);
  expect((await post(url, body, headersFor("x"))).status).toBe(413);
  const chunked = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = open({ port, path: webhookPath, method: "POST", headers: headersFor("x") }, resolve);
    request.on("error", reject);
    const part = body.subarray(0, 1024 * 1024);
    for (let sent = 0; sent < body.length; sent += part.length) request.write(part);
    request.end();
  });
  chunked.resume();
  expect(chunked.statusCode).toBe(413);
  expect(stored).toEqual([]);
  expect((await post(url, label, headersFor(label))).status).toBe(202);
});

test("bodies together have a limit too, and give their room back", async () => {
  const { url } = await openDoor({ bodiesBytesMax: label.length + 10 });
  const large = JSON.stringify({ filler: "x".repeat(label.length) });
  expect((await post(url, large, headersFor(large))).status).toBe(503);
  for (let turn = 0; turn < 3; turn += 1) expect((await post(url, label, headersFor(label))).status).toBe(202);
});

test("a body that comes too slowly is refused and hung up on", async () => {
  const { port, stored } = await openDoor({ bodySecondsMax: 0.2 });
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text)).on("error", reject);
    const headers = Object.entries({ ...headersFor("x"), host: "x", "content-length": "1000" });
    socket.write(`POST ${webhookPath} HTTP/1.1\r\n${headers.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n{`);
  });
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(stored).toEqual([]);
});

test("a client that goes away in the middle harms nobody", async () => {
  const { port, url, log } = await openDoor();
  await new Promise<void>((resolve) => {
    const request = open({ port, path: webhookPath, method: "POST", headers: headersFor("x") });
    request.on("error", () => undefined).on("close", () => resolve());
    request.write("{", () => request.destroy());
  });
  expect((await post(url, label, headersFor(label))).status).toBe(202);
  expect(log.some((line) => line.includes('"level":60'))).toBe(false);
});

test.each([
  ["fails", () => Promise.reject(new Error("password of the database"))],
  ["hangs", () => new Promise<never>(() => undefined)],
  [
    "throws",
    () => {
      throw new Error("password of the database");
    },
  ],
])("a store that %s: 503, without a word of why", async (_what, store) => {
  const { url } = await openDoor({ store, storeSecondsMax: 0.2 });
  const answer = await post(url, label, headersFor(label));
  expect(answer.status).toBe(503);
  expect(JSON.stringify(answer.body)).not.toContain("password");
});

test("200 at once are all stored", async () => {
  const { url, stored } = await openDoor();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      post(url, label, headersFor(label, "issues", { "x-github-delivery": `d-${index}` })),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(stored.map(({ deliveryId }) => deliveryId)).size).toBe(200);
});

test("other methods are refused, other paths are not the door's", async () => {
  const { url } = await openDoor();
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(`${url}/x`)).status).toBe(404);
});

test("it stands before Probot's own route: what Probot would leak and log does not happen", async () => {
  const log: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line: string) => void log.push(line) });
  const probot = new Probot({ appId: 99, privateKey: "not used here", secret, log: logger });
  const handled: string[] = [];
  probot.onAny((event) => void handled.push(event.name));
  const stored: Delivery[] = [];
  const door = createDoor({
    webhookSecret: secret,
    own,
    log: logger,
    store: (delivery) => {
      stored.push(delivery);
      return Promise.resolve("stored");
    },
  });
  const serving = await serve({ probot, handlers: [door], host: "127.0.0.1", port: 0, log: logger });
  closers.push(() => serving.close(1));
  const url = `${serving.url}${webhookPath}`;
  expect((await post(url, label, headersFor(label))).status).toBe(202);
  const bad = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  expect((await post(url, label, headersFor(label, "issues", bad))).status).toBe(401);
  expect((await fetch(`${serving.url}/nothing`)).status).toBe(404);
  expect(stored).toHaveLength(1);
  expect(handled).toEqual([]);
  expect(log.join("")).not.toContain("It breaks");
});
