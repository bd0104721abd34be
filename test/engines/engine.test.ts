import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SpendingLimits } from "../../src/gateway/access.ts";
import type { TurnProgress, TurnRequest } from "../../src/engines/engine.ts";
import { engineNames, findEngine } from "../../src/engines/table.ts";
import type { Answer } from "../gateway/fake-anthropic.ts";
import { answerError, answerMessage, hang, messageOf, textOf, toolOf } from "../gateway/fake-anthropic.ts";
import { closeAfterTest, openBoth, wide } from "../gateway/with-gateway.ts";
import { inEachSandbox } from "./sandboxes.ts";

const say = (text: string) => answerMessage(messageOf([textOf(text)]));
const use = (name: string, input: object, text = "") =>
  answerMessage(messageOf([...(text === "" ? [] : [textOf(text)]), toolOf(`toolu_${name}`, name, input)]));
const stopWith = (stop_reason: string, content: readonly object[] = []) =>
  answerMessage({ ...messageOf(content), stop_reason });

/** What the provider got in its n-th call, from 0. */
interface Sent {
  readonly tools: readonly { readonly name: string }[];
  readonly system: unknown;
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[];
}

interface Played {
  readonly result: Awaited<ReturnType<NonNullable<ReturnType<typeof findEngine>>["turn"]>>;
  readonly sent: (call: number) => Sent;
  /** Text of the last tool result that the n-th call carried. */
  readonly toolResult: (call: number) => string;
  readonly calls: () => number;
  readonly progress: readonly TurnProgress[];
}

inEachSandbox("the built-in engine", (openSandbox) => {
  async function newWorkspace(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "gavel-engine-")));
    closeAfterTest(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function play(
    workspace: string,
    script: readonly Answer[],
    change: Partial<TurnRequest> = {},
    limits: SpendingLimits = wide,
  ): Promise<Played> {
    const { access, provider } = await openBoth(script, limits);
    const progress: TurnProgress[] = [];
    const engine = findEngine("builtin");
    if (engine === null) throw new Error("there is no builtin engine");
    const result = await engine.turn(
      {
        mode: "implement",
        workspace,
        mounts: [],
        system: "You are careful.",
        prompt: "Do it.",
        session: null,
        access,
        timeoutSeconds: 60,
        modelCallsMax: 10,
        signal: new AbortController().signal,
        onProgress: (one) => progress.push(one),
        ...change,
      },
      await openSandbox(),
    );
    const sent = (call: number) => JSON.parse(provider.calls[call]?.body ?? "null") as Sent;
    return {
      result,
      sent,
      toolResult: (call) => JSON.stringify(sent(call).messages.at(-1)?.content[0]?.["content"]),
      calls: () => provider.calls.length,
      progress,
    };
  }

  it("lets the model work on the tree with every tool, and tells what happens", async () => {
    const workspace = await newWorkspace();
    await writeFile(join(workspace, "a.txt"), "one\ntwo\nthree\n");
    const { result, sent, toolResult, progress } = await play(workspace, [
      use("list", {}, "Looking around."),
      use("search", { pattern: "t[wh]", regex: true }),
      use("read", { path: "a.txt", offset: 2, limit: 1 }),
      use("edit", { path: "a.txt", old: "two", new: "2" }),
      use("write", { path: "deep/er/b.txt", content: "b\n" }),
      use("run", { command: "cat a.txt deep/er/b.txt; echo problem >&2; exit 3" }),
      say("All done."),
    ]);
    expect(result).toMatchObject({ end: "completed", reply: "All done." });
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(await readFile(join(workspace, "deep/er/b.txt"), "utf8")).toBe("b\n");
    expect(
      sent(0)
        .tools.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["edit", "list", "read", "run", "search", "write"]);
    expect(JSON.stringify(sent(0).system)).toContain("You are careful.");
    expect(toolResult(1)).toContain("a.txt\\n");
    expect(toolResult(2)).toContain("a.txt:2: two\\na.txt:3: three");
    expect(toolResult(3)).toContain("    2\\ttwo\\n[lines 2 to 2 of 3; go on with offset 3]");
    expect(toolResult(6)).toContain("one\\n2\\nthree\\nb\\nproblem\\n[exit code 3]");
    expect(progress.slice(0, 3)).toEqual([
      { kind: "tool", name: "list", detail: "" },
      { kind: "text", text: "Looking around." },
      { kind: "tool", name: "search", detail: "t[wh]" },
    ]);
    expect(progress.at(-1)).toEqual({ kind: "text", text: "All done." });
  });

  it("goes on with the session in the next turn", async () => {
    const workspace = await newWorkspace();
    const first = await play(workspace, [use("write", { path: "a", content: "" }), say("First.")]);
    const second = await play(workspace, [say("Second.")], { session: first.result.session, prompt: "Now mend it." });
    expect(second.sent(0).messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(JSON.stringify(second.sent(0).messages)).toMatch(/Do it\..*First\..*Now mend it\./);
    const broken = await play(workspace, [], { session: "{}" });
    expect(broken.result).toMatchObject({ end: "could-not-start", session: null });
  });

  it("gives a judge no tool that writes", async () => {
    const workspace = await newWorkspace();
    const { result, sent, toolResult } = await play(
      workspace,
      [
        use("write", { path: "a.txt", content: "x" }),
        use("run", { command: "touch b.txt" }),
        use("list", {}),
        say("Looked."),
      ],
      { mode: "judge" },
    );
    expect(result.end).toBe("completed");
    expect(
      sent(0)
        .tools.map(({ name }) => name)
        .toSorted(),
    ).toEqual(["list", "read", "search"]);
    expect(toolResult(3)).toContain("is empty");
  });

  it("refuses what leads out of the tree, and opens nothing that is no file", async () => {
    const workspace = await newWorkspace();
    const outside = await newWorkspace();
    await writeFile(join(outside, "secret"), "the secret");
    await symlink(outside, join(workspace, "out"));
    await symlink(join(outside, "new"), join(workspace, "nowhere"));
    const tries: [string, object][] = [
      ["read", { path: "out/secret" }],
      ["read", { path: `../${outside.split("/").at(-1)}/secret` }],
      ["read", { path: join(outside, "secret") }],
      ["write", { path: "out/planted", content: "x" }],
      ["write", { path: "nowhere", content: "x" }],
      ["write", { path: "out/deep/er", content: "x" }],
      ["edit", { path: "out/secret", old: "the", new: "a" }],
      ["list", { path: "out" }],
      ["search", { path: "out", pattern: "secret" }],
      ["search", { pattern: "secret" }],
      ["run", { command: "mkfifo pipe" }],
      ["read", { path: "pipe" }],
      ["write", { path: "pipe", content: "x" }],
    ];
    const { result, toolResult } = await play(
      workspace,
      [...tries.map(([name, input]) => use(name, input)), say("Tried.")],
      { modelCallsMax: 30 },
    );
    expect(result.end).toBe("completed");
    const results = tries.map((_, index) => toolResult(index + 1));
    for (const text of results.slice(0, 9)) expect(text).toMatch(/outside the workspace|link to nowhere/);
    expect(results[9]).toContain("nothing matches");
    expect(results[11]).toContain("pipe is not a file");
    expect(results[12]).toContain("pipe is not a file");
    expect(results.join("")).not.toContain("the secret");
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("the secret");
    await expect(readFile(join(outside, "planted"))).rejects.toThrow("ENOENT");
    await expect(readFile(join(outside, "new"))).rejects.toThrow("ENOENT");
  });

  it("keeps a flood of output small: head, mark and tail", async () => {
    const workspace = await newWorkspace();
    const flood =
      "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; printf '\\377\\000\\033[31mred\\033[0m\\n10%%\\r100%%\\n'; echo last";
    const { toolResult } = await play(workspace, [
      use("run", { command: flood }),
      use("run", { command: "head -c 9000000 /dev/zero | tr '\\0' y > long; printf '\\nend' >> long" }),
      use("read", { path: "long" }),
      say("Seen."),
    ]);
    const text = JSON.parse(toolResult(1)) as string;
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text.startsWith("first\nxxx")).toBe(true);
    expect(text).toMatch(/left out/);
    expect(text.endsWith("\uFFFDred\n100%\nlast\n[exit code 0]")).toBe(true);
    expect(JSON.parse(toolResult(3))).toContain("… [8999500 more characters]\n    2\tend\n");
  });

  it("ends a command at its limit, and what a command left running with it", async () => {
    const workspace = await newWorkspace();
    const { result, toolResult } = await play(workspace, [
      use("run", { command: "sleep 1000 & sleep 1000", timeout_seconds: 1 }),
      use("run", { command: "sleep 1000 & echo started" }),
      say("Waited."),
    ]);
    expect(result.end).toBe("completed");
    expect(toolResult(1)).toContain("[cut off after 1 seconds]");
    expect(toolResult(2)).toContain("started\\n[exit code 0]");
  });

  it.each(["cancelled", "timed-out"])("leaves nothing running when it is %s", async (end) => {
    const workspace = await newWorkspace();
    const pipe = join(workspace, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Everything that the command starts holds the pipe open; its end comes when the last of it is gone.
    const command = "exec 3>pipe; (sleep 1000) & sleep 1000 & echo runs >&3; wait";
    const abort = new AbortController();
    const timeoutSeconds = end === "timed-out" ? 2 : 600;
    const playing = play(workspace, [use("run", { command })], { signal: abort.signal, timeoutSeconds });
    let heard = "";
    for await (const chunk of createReadStream(pipe)) {
      heard += String(chunk);
      if (end === "cancelled") abort.abort();
    }
    expect(heard).toBe("runs\n");
    const { result, calls } = await playing;
    expect([result.end, calls()]).toEqual([end, 1]);
  });

  it("ends at its time limit, also while the model is silent", async () => {
    const { result } = await play(await newWorkspace(), [hang], { timeoutSeconds: 1 });
    expect(result).toMatchObject({ end: "timed-out", reason: "stopped after 1 seconds" });
  });

  it("stops after so many calls", async () => {
    const { result, calls } = await play(await newWorkspace(), [use("list", {}), use("list", {}), say("never asked")], {
      modelCallsMax: 2,
    });
    expect(result).toMatchObject({ end: "limit", reason: "stopped after 2 calls to the model" });
    expect(calls()).toBe(2);
    expect(result.session).toContain("toolu_list");
  });

  it("stops with the gateway's sentence when the budget is spent", async () => {
    const script = [use("list", {}), say("never asked")];
    const { result, calls } = await play(await newWorkspace(), script, {}, { usdMax: 1000, tokensMax: 15 });
    expect(result).toMatchObject({ end: "limit", reason: "budget spent: 15 of 15 tokens for this chain" });
    expect(calls()).toBe(1);
  });

  it.each<[string, readonly Answer[], string, number]>([
    ["a refusal", [stopWith("refusal")], "refused", 1],
    ["an empty reply", [say(" \n")], "no-answer", 1],
    ["a wrong key", [answerError(401, "no")], "could-not-start", 1],
    ["an unknown model", [answerError(404, "no")], "could-not-start", 1],
    ["a bad request", [answerError(400, "no")], "crashed", 1],
    [
      "an overloaded provider",
      Array.from({ length: 3 }, () => answerError(529, "no", { "retry-after-ms": "1" })),
      "could-not-start",
      3,
    ],
    ["an error later on", [use("list", {}), answerError(400, "no")], "crashed", 2],
    ["an error that passes", [answerError(500, "no", { "retry-after-ms": "1" }), say("Done.")], "completed", 2],
    ["a reply that was cut off", [stopWith("max_tokens", [textOf("Beg")]), say("Done.")], "completed", 2],
  ])("takes %s for what it is", async (_, script, end, calls) => {
    const played = await play(await newWorkspace(), script);
    expect([played.result.end, played.calls()]).toEqual([end, calls]);
  });

  it("does not start where the gateway is gone", async () => {
    const { access, gateway } = await openBoth([]);
    await gateway.close();
    const { result } = await play(await newWorkspace(), [], { access });
    expect(result).toMatchObject({ end: "could-not-start", session: null });
  });
});

describe("the table of engines", () => {
  it("has a row for each", async () => {
    expect(engineNames).toEqual(["builtin"]);
    expect(await findEngine("builtin")?.check()).toEqual([]);
    expect(findEngine("toString")).toBeNull();
  });
});
