import { readFileSync, readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { launchDurable, type Durable, type WorkflowEnd } from "../../src/store/durable.ts";
import { openTestDatabase, until } from "./support.ts";

let database: Database;
let durable: Durable | null = null;
let ids = 0;
const nextId = (): string => `workflow-${(ids += 1)}`;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterEach(async () => {
  await durable?.shutdown({ timeoutSeconds: 5 });
  durable = null;
  // What a test leaves unfinished must not be resumed in the next one.
  await database.pool.query("TRUNCATE dbos.workflow_status CASCADE");
});

afterAll(async () => {
  await database.close();
});

type Work = (engine: Durable, input: string) => Promise<void>;

async function launch(workflows: Record<string, Work>): Promise<Durable> {
  durable = await launchDurable({
    url: database.url,
    pool: database.pool,
    exclusive: true,
    queues: [{ name: "work", workerConcurrency: 4, globalConcurrency: 4 }],
    register: (engine) => {
      for (const [name, work] of Object.entries(workflows)) {
        engine.registerWorkflow<string>(name, (input) => work(engine, input));
      }
    },
    onFenced: (reason) => {
      throw new Error(reason);
    },
  });
  return durable;
}

describe("a step", () => {
  it("gives its value to the workflow, and its last error itself when every try failed", async () => {
    const seen: unknown[] = [];
    const engine = await launch({
      main: async (engine) => {
        seen.push(await engine.runStep("value", async () => ({ a: [1, null] })));
        let tries = 0;
        const failing = engine.runStep(
          "failing",
          async () => {
            tries += 1;
            throw new Error(`try ${tries}`);
          },
          { triesMax: 2 },
        );
        seen.push(await failing.catch((error: Error) => error.message), tries);
        const once = engine.runStep("once", () => Promise.reject(new Error("only")));
        seen.push(await once.catch((error: Error) => error.message));
      },
    });
    const id = nextId();
    await engine.startWorkflow("main", id, "");
    expect(await engine.awaitWorkflow(id)).toBe("done");
    expect(seen).toEqual([{ a: [1, null] }, "try 2", 2, "only"]);
  });

  it("has no cancel signal that ever fires outside of a workflow", async () => {
    const engine = await launch({});
    expect(engine.cancelSignal().aborted).toBe(false);
  });
});

describe("an id", () => {
  it("is used once, while its workflow runs, after it ended, and by the next process", async () => {
    let runs = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const work: Work = async (engine) => {
      await engine.runStep("count", async () => void (runs += 1));
      await engine.runStep("wait", () => gate);
    };
    const engine = await launch({ main: work });
    const id = nextId();
    await engine.startWorkflow("main", id, "");
    await engine.startWorkflow("main", id, "");
    release();
    expect(await engine.awaitWorkflow(id)).toBe("done");
    await engine.startWorkflow("main", id, "");
    expect(await engine.awaitWorkflow(id)).toBe("done");
    await engine.shutdown({ timeoutSeconds: 5 });
    const next = await launch({ main: work });
    await next.startWorkflow("main", id, "");
    expect(await next.awaitWorkflow(id)).toBe("done");
    expect(runs).toBe(1);
  });
});

describe("the queue", () => {
  it("runs one at a time of a partition, and several partitions at once", async () => {
    const busy = new Map<string, number>();
    const most = new Map<string, number>();
    const openGates: (() => void)[] = [];
    const engine = await launch({
      segment: async (engine, partition) => {
        await engine.runStep("work", async () => {
          busy.set(partition, (busy.get(partition) ?? 0) + 1);
          most.set(partition, Math.max(most.get(partition) ?? 0, busy.get(partition) ?? 0));
          await new Promise<void>((resolve) => openGates.push(resolve));
          busy.set(partition, (busy.get(partition) ?? 0) - 1);
        });
      },
    });
    const started = ["a", "a", "b", "b"].map((partition) => ({ id: nextId(), partition }));
    for (const { id, partition } of started) {
      await engine.startWorkflow("segment", id, partition, { queue: "work", partition });
    }
    await until("both partitions work", () => busy.get("a") === 1 && busy.get("b") === 1);
    const ends = Promise.all(started.map(({ id }) => engine.awaitWorkflow(id)));
    let all: WorkflowEnd[] | null = null;
    void ends.then((value) => (all = value));
    await until("all have had their turn", () => {
      for (const open of openGates.splice(0)) open();
      return all !== null;
    });
    expect(all).toEqual(["done", "done", "done", "done"]);
    expect(Object.fromEntries(most)).toEqual({ a: 1, b: 1 });
  });
});

describe("cancelling a child", () => {
  it("aborts its running step, lets it stop first, and the parent goes on to its closing steps", async () => {
    const order: string[] = [];
    const signals: AbortSignal[] = [];
    const child = nextId();
    const engine = await launch({
      child: async (engine) => {
        await engine.runStep(
          "turn",
          async () => {
            order.push("turn begins");
            const signal = engine.cancelSignal();
            signals.push(signal);
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
            // Killing takes a moment: the parent must not close before it is done.
            for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
            order.push("turn is stopped");
            signal.throwIfAborted();
          },
          { triesMax: 4 },
        );
        order.push("never reached");
      },
      parent: async (engine) => {
        await engine.startWorkflow("child", child, "", { queue: "work", partition: "p" });
        const end = await engine.awaitWorkflow(child);
        await engine.runStep("close", async () => void order.push(`closed after ${end}`));
      },
    });
    const parent = nextId();
    await engine.startWorkflow("parent", parent, "");
    await until("the turn runs", () => order.length === 1);
    await engine.cancelWorkflow(child);
    // At once, not when the engine looks the next time.
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(await engine.awaitWorkflow(parent)).toBe("done");
    expect(order).toEqual(["turn begins", "turn is stopped", "closed after cancelled"]);
    await engine.cancelWorkflow(parent);
    expect(await engine.awaitWorkflow(parent)).toBe("done");
  });

  it("is seen as a cancellation by the workflow itself, also when the cancel comes from another process", async () => {
    const seen: boolean[] = [];
    let begun = false;
    const engine = await launch({
      main: async (engine) => {
        try {
          await engine.runStep("turn", async () => {
            begun = true;
            await new Promise<void>((resolve) => engine.cancelSignal().addEventListener("abort", () => resolve()));
            throw new Error("the sandbox was killed");
          });
        } catch (error) {
          seen.push(engine.isCancellation(error));
          throw error;
        }
      },
    });
    const id = nextId();
    await engine.startWorkflow("main", id, "");
    await until("the turn runs", () => begun);
    await database.pool.query(
      "UPDATE dbos.workflow_status SET status = 'CANCELLED', owner_xid = NULL WHERE workflow_uuid = $1",
      [id],
    );
    expect(await engine.awaitWorkflow(id)).toBe("cancelled");
    expect(seen).toEqual([true]);
  });

  it("is told from a failure", async () => {
    const engine = await launch({ main: () => Promise.reject(new Error("broken")) });
    const id = nextId();
    await engine.startWorkflow("main", id, "");
    expect(await engine.awaitWorkflow(id)).toBe("failed");
    expect(engine.isCancellation(new Error("broken"))).toBe(false);
  });
});

describe("a message", () => {
  it("wakes the workflow that waits for it, once for its key; without one the wait ends", async () => {
    const seen: unknown[] = [];
    const engine = await launch({
      main: async (engine) => {
        seen.push(await engine.receive("other", 0.01));
        seen.push(await engine.receive("wake", 60));
        seen.push(await engine.receive("wake", 0.5));
      },
    });
    const id = nextId();
    await engine.startWorkflow("main", id, "");
    await engine.send(id, "wake", { by: "maintainer" }, "click-1");
    await engine.send(id, "wake", { by: "maintainer" }, "click-1");
    expect(await engine.awaitWorkflow(id)).toBe("done");
    expect(seen).toEqual([null, { by: "maintainer" }, null]);
    await expect(engine.send("no such workflow", "wake", 1)).rejects.toThrow("no such workflow");
  });
});

describe("the owner", () => {
  it("may go on; who lost the workflow to another process may not, and does not try again", async () => {
    const effects: string[] = [];
    let tries = 0;
    const seen: boolean[] = [];
    const engine = await launch({
      main: async (engine, owner) => {
        try {
          await engine.runStep(
            "publish",
            async () => {
              tries += 1;
              if (owner === "another") {
                await database.pool.query(
                  "UPDATE dbos.workflow_status SET owner_xid = 'another' WHERE owner_xid IS NOT NULL AND status = 'PENDING'",
                );
              }
              await engine.assertOwner();
              effects.push(owner);
            },
            { triesMax: 3 },
          );
        } catch (error) {
          seen.push(engine.isCancellation(error));
          throw error;
        }
      },
    });
    await engine.startWorkflow("main", nextId(), "we");
    await until("the effect", () => effects.length === 1);
    await engine.startWorkflow("main", nextId(), "another");
    await until("the refusal", () => seen.length === 1);
    expect({ effects, seen, tries }).toEqual({ effects: ["we"], seen: [true], tries: 2 });
  });
});

describe("shutting down", () => {
  it("lets the running step end, begins no other, and the next process goes on from there", async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const work: Work = async (engine) => {
      await engine.runStep("one", async () => {
        order.push("one begins");
        await gate;
        order.push("one ends");
      });
      await engine.runStep("two", async () => void order.push("two"));
    };
    const waiting: Work = async (engine) => {
      await engine.receive("wake", 600);
      await engine.runStep("woken", async () => void order.push("woken"));
    };
    const first = await launch({ main: work, waiting });
    const [id, sleeper] = [nextId(), nextId()];
    await first.startWorkflow("waiting", sleeper, "");
    await first.startWorkflow("main", id, "");
    await until("step one runs", () => order.length === 1);
    const down = first.shutdown({ timeoutSeconds: 20 });
    release();
    await down;
    expect(order).toEqual(["one begins", "one ends"]);
    const second = await launch({ main: work, waiting });
    expect(await second.awaitWorkflow(id)).toBe("done");
    expect(order).toEqual(["one begins", "one ends", "two"]);
    await second.send(sleeper, "wake", 1);
    expect(await second.awaitWorkflow(sleeper)).toBe("done");
    expect(order.at(-1)).toBe("woken");
  });

  it("does not count a failure on the way down as a try", async () => {
    const order: string[] = [];
    let fail = (): void => undefined;
    const gate = new Promise<void>((_, reject) => (fail = () => reject(new Error("cut off"))));
    const work: Work = async (engine) => {
      const tried = engine.runStep(
        "one",
        async () => {
          order.push("try");
          if (order.length === 1) await gate;
        },
        { triesMax: 2 },
      );
      await tried.catch(() => order.push("given up"));
    };
    const first = await launch({ main: work });
    const id = nextId();
    await first.startWorkflow("main", id, "");
    await until("the step runs", () => order.length === 1);
    const down = first.shutdown({ timeoutSeconds: 20 });
    fail();
    await down;
    expect(order).toEqual(["try"]);
    const second = await launch({ main: work });
    expect(await second.awaitWorkflow(id)).toBe("done");
    expect(order).toEqual(["try", "try"]);
  });
});

describe("the engine", () => {
  it("runs once in a process", async () => {
    await launch({});
    await expect(launch({})).rejects.toMatchObject({ code: "durable-running" });
  });

  it("is known to one file only", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const knowing = sources.filter((path) => readFileSync(`src/${path}`, "utf8").includes("@dbos-inc"));
    expect(knowing).toEqual(["store/durable.ts"]);
  });
});
