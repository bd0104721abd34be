import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEvents, writeEvents } from "../../src/gateway/anthropic/message-events.ts";
import { openGateway } from "../../src/gateway/gateway.ts";
import { answerError, answerMessage, fakeModel, messageOf, realKey, textOf, toolOf } from "./fake-anthropic.ts";
import { openSpendingBook } from "./spending-book.ts";
import { ask, caller, closeAfterTest, errorOf, openBoth, wide } from "./with-gateway.ts";

const newFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), "gavel-cassette-"));
  closeAfterTest(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "cassette.jsonl");
};

async function openReplayed(lines: readonly object[] | string) {
  const path = Array.isArray(lines) ? await newFile() : (lines as string);
  if (Array.isArray(lines)) await writeFile(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  const book = openSpendingBook();
  const gateway = await openGateway({ upstream: null, cassette: { mode: "replay", path }, spending: book });
  closeAfterTest(() => gateway.close());
  return { gateway, book, access: await gateway.grant(caller, fakeModel, wide) };
}

const key = "implementer/builtin/run1/turn1/1";
const line = { key, response: { status: 200, body: { content: [textOf("hello")], usage: { output_tokens: 3 } } } };
const shape = `${fakeModel} tools= messages=u`;

describe("a recording", () => {
  it("gives back what was recorded, as JSON and as a stream, without any secret in it", async () => {
    const path = await newFile();
    const first = messageOf([textOf("Ünïcode 👩‍👩‍👧 ".repeat(100)), toolOf("toolu_1", "read", { path: "a.ts" })]);
    const second = messageOf([{ type: "thinking", thinking: "hm", signature: "sig" }, textOf("done")]);
    const script = [answerMessage(first), answerMessage(second), answerError(529, `busy ${realKey}`)];
    const recorded = await openBoth(script, wide, { cassette: { mode: "record", path } });
    const body = (n: number) => ({
      stream: n === 1,
      messages: [{ role: "user", content: `my token is ${recorded.access.token}, my key ${realKey}` }],
    });
    const live = [];
    for (let n = 1; n <= 3; n += 1) live.push(await (await ask(recorded.access, body(n))).text());
    const text = await readFile(path, "utf8");
    expect(text.trim().split("\n").length).toBe(3);
    expect(text).not.toContain(realKey);
    expect(text).not.toContain(recorded.access.token);

    const { access, book } = await openReplayed(path);
    const replayed = [];
    for (let n = 1; n <= 3; n += 1) replayed.push(await (await ask(access, body(n))).text());
    expect(replayed).toEqual(live);
    expect(book.rows.map((row) => row.used?.outputTokens)).toEqual([5, 5, 0]);
    expect(access.usage().usd).toBe(recorded.access.usage().usd);
  });

  it("fills in what a line written by hand leaves out", async () => {
    const { access } = await openReplayed([line]);
    const stream = await (await ask(access, { stream: true })).text();
    expect(readEvents(stream)).toMatchObject({
      role: "assistant",
      model: fakeModel,
      stop_reason: "end_turn",
      content: [textOf("hello")],
      usage: { input_tokens: 0, output_tokens: 3 },
    });
  });

  it("begins again in each granted access, so that a repeated turn is answered alike", async () => {
    const { gateway, access } = await openReplayed([line]);
    const again = await gateway.grant(caller, fakeModel, wide);
    expect([(await ask(access)).status, (await ask(again)).status]).toEqual([200, 200]);
  });

  it("refuses a request that looks different, naming key, wanted and got, also when asked again", async () => {
    const { access, book } = await openReplayed([{ ...line, shape }]);
    for (let time = 0; time < 2; time += 1) {
      const response = await ask(access, { tools: [{ name: "write" }, { name: "edit" }] });
      expect([response.status, await errorOf(response)]).toEqual([
        409,
        `the recording of ${key} belongs to another request: wanted "${shape}", got "${fakeModel} tools=edit,write messages=u"`,
      ]);
    }
    expect(book.rows[0]?.used?.inputTokens).toBe(0);
    expect(access.usage().calls).toBe(0);
    expect((await ask(access)).status).toBe(200);
  });

  it("refuses a call that is not in it", async () => {
    const { access } = await openReplayed([{ ...line, key: "judge/code/run1/turn0/1" }]);
    const response = await ask(access);
    expect([response.status, await errorOf(response)]).toEqual([409, `the recording has no reply for ${key}`]);
  });

  it("replays errors and waits", async () => {
    const { access } = await openReplayed([
      { key, delayMs: 1, response: { status: 529, body: { type: "error", error: { message: "busy" } } } },
    ]);
    const response = await ask(access, { stream: true });
    expect([response.status, await errorOf(response)]).toEqual([529, "busy"]);
  });

  it("ends a wait when the access is revoked", async () => {
    const { access, book } = await openReplayed([{ ...line, delayMs: 10_000 }]);
    const asked = ask(access);
    while (book.rows.length === 0) await new Promise((resolve) => setImmediate(resolve));
    access.revoke();
    expect((await asked).status).toBe(504);
  });

  it("counts as if it were real", async () => {
    const { gateway } = await openReplayed([line]);
    const access = await gateway.grant(caller, "claude-of-tomorrow", { usdMax: 1, tokensMax: 1e9 });
    expect((await ask(access)).status).toBe(402);
  });

  it.each([
    ["{", "line 1"],
    [JSON.stringify({ ...line, delayMs: 10_001 }), "delayMs"],
    [JSON.stringify({ ...line, extra: 1 }), "extra"],
    [`${JSON.stringify(line)}\n${JSON.stringify(line)}`, `line 2: the key "${key}" is there twice`],
  ])("names what is wrong in %j", async (text, message) => {
    const path = await newFile();
    await writeFile(path, text);
    await expect(openReplayed(path)).rejects.toThrow(message);
    await expect(openReplayed(`${path}.none`)).rejects.toThrow("can not be read");
  });
});

describe("a stream's events", () => {
  it("are of a message that did not end: nothing", () => {
    const events = [...writeEvents(messageOf([textOf("x")]))];
    expect(readEvents(events.join(""))).toEqual(messageOf([textOf("x")]));
    expect(readEvents(events.slice(0, -1).join(""))).toBeNull();
  });
});
