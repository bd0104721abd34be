import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSandbox } from "../../src/process/open-sandbox.ts";
import type { BoxRequest, Sandbox } from "../../src/process/sandbox.ts";
import { programs } from "../bin/programs.ts";
import { needsSandbox } from "../needs-sandbox.ts";
import { findProcesses, waitUntil } from "./process-list.ts";

let sandbox: Sandbox;
let folder: string;
let workspace: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gavel-sandbox-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  workspace = mkdtempSync(join(folder, "workspace-"));
});

/**
 * Markers come in by a variable and stand in the command lines of the box's own processes only: bubblewrap's and its
 * watcher's outside say nothing of them.
 */
const leaveGrandchild = (then: "end" | "stay"): readonly string[] => [
  "bash",
  "-c",
  `exec node /opt/programs/leave-grandchild.ts "$MARKER" ${then}`,
];
const showPrograms = { source: programs, target: "/opt/programs", access: "read" } as const;

function request(argv: readonly string[], options: Partial<BoxRequest> = {}): BoxRequest {
  return {
    profile: "implementer",
    workspace,
    mounts: [],
    argv,
    workingDirectory: "",
    env: {},
    stdin: null,
    timeoutSeconds: 20,
    outputBytesMax: 20_000,
    ...options,
  };
}

async function bash(script: string, options: Partial<BoxRequest> = {}) {
  const result = await sandbox.run(request(["bash", "-c", script], options));
  return { ...result, text: result.stdout.text + result.stderr.text };
}

needsSandbox("a box", () => {
  beforeAll(async () => {
    sandbox = await openSandbox({ allowNone: false });
  });

  describe("shows", () => {
    it("the workspace, writable, with files that belong to who is inside", async () => {
      writeFileSync(join(workspace, "given.txt"), "given", { mode: 0o600 });
      const { text } = await bash("pwd; cat given.txt; test -O given.txt && echo ' mine'; echo made > made.txt");
      expect(text).toBe("/workspace\ngiven mine\n");
      expect(readFileSync(join(workspace, "made.txt"), "utf8")).toBe("made\n");
      expect(statSync(join(workspace, "made.txt")).uid).toBe(process.getuid?.());
      expect(sandbox.workspacePath(workspace)).toBe("/workspace");
    });

    it("the Node that runs us, and npm with it", async () => {
      const { text } = await bash("node -p process.version; npm --version; command -v npx");
      expect(text).toMatch(/^v[\d.]+\n\d+\.\d+\.\d+\n\/opt\/node\/bin\/npx\n$/);
      expect(text.startsWith(`${process.version}\n`)).toBe(true);
    });

    it("an ordinary user with a home of its own and fixed variables", async () => {
      const { text } = await bash("whoami; echo $HOME $TZ $LANG $TMPDIR; touch ~/a /tmp/b && ls ~ /tmp");
      expect(text).toBe("agent\n/home/agent UTC C.UTF-8 /tmp\n/home/agent:\na\n\n/tmp:\nb\n");
    });

    it("added variables, whatever they hold, and no other", async () => {
      process.env["GAVEL_TEST_SECRET"] = "hidden";
      const { stdout } = await sandbox.run(request(["env", "-0"], { env: { ADDED: "a\nb --bind / /" } }));
      delete process.env["GAVEL_TEST_SECRET"];
      const names = stdout.text.split("\0").map((line) => line.split("=")[0]);
      expect(stdout.text).toContain("ADDED=a\nb --bind / /\0");
      const fixed = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
      // The last two are bash's own, from before it became the command.
      expect(new Set(names)).toEqual(new Set(["", "ADDED", ...fixed, "PWD", "SHLVL"]));
    });

    it("a folder of the workspace as the working folder", async () => {
      mkdirSync(join(workspace, "packages/a"), { recursive: true });
      expect((await bash("pwd", { workingDirectory: "packages/a" })).text).toBe("/workspace/packages/a\n");
    });

    it("mounts, read-only where it was said so, also below a read-only workspace", async () => {
      const source = mkdtempSync(join(folder, "mount-"));
      writeFileSync(join(source, "a.txt"), "from outside\n");
      const mounts = [
        { source, target: "/workspace/deep/modules", access: "read" },
        { source, target: "/data", access: "write" },
      ] as const;
      const script = "cat deep/modules/a.txt; echo x > deep/modules/b.txt; echo y > /data/c.txt; ls /data";
      const { text } = await bash(script, { mounts, profile: "judge" });
      expect(text).toContain("from outside\n");
      expect(text).toContain("Read-only file system");
      expect(existsSync(join(source, "b.txt"))).toBe(false);
      expect(readFileSync(join(source, "c.txt"), "utf8")).toBe("y\n");
    });
  });

  describe("hides", () => {
    it("the home folder, the project, temporary and data folders of the machine", async () => {
      const secret = join(folder, "secret.txt");
      writeFileSync(secret, "secret");
      const places = [secret, homedir(), process.cwd(), "/var/lib", "/etc/shadow", "/root", "/sys", "/boot", "/mnt"];
      const { text } = await bash(
        `for place in ${places.join(" ")}; do ls "$place" 2>/dev/null && echo "seen: $place"; done; true`,
      );
      expect(text).toBe("");
      expect((await bash("ls -A / | tr '\\n' ' '")).text).not.toMatch(/root|srv|media|boot/);
    });

    it("what our own process was started with", async () => {
      const { text } = await bash(
        "ls /proc/1/fd /proc/self/fd; tr '\\0' ' ' < /proc/1/environ; tr '\\0' ' ' < /proc/1/cmdline",
        {
          env: { MARK: "in-no-process-list" },
        },
      );
      const descriptors = text.match(/^\d+$/gm)?.map(Number) ?? [];
      // Three streams, bubblewrap's event descriptor, the folder that ls reads.
      expect(descriptors.length).toBeLessThanOrEqual(8);
      expect(text).not.toContain("in-no-process-list");
      expect(text).not.toContain(process.env["PATH"]);
    });

    it("every other process", async () => {
      const { text } = await bash("cd /proc; for one in [0-9]*; do tr '\\0' ' ' < $one/cmdline; echo; done");
      expect(text).not.toContain("vitest");
      expect(text.trim().split("\n").length).toBeLessThan(8);
    });

    it("the network: a server on the machine's loopback is out of reach, its own loopback is there", async () => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const { text } = await bash(
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&1 | grep -o refused | head -1; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
         node -e "const s=require('net').createServer(c=>c.end('own')).listen(0,'127.0.0.1',()=>require('net').connect(s.address().port).on('data',d=>{console.log(String(d));process.exit()}))"`,
      );
      await new Promise((resolve) => server.close(resolve));
      expect(text).toBe("refused\nlo\nown\n");
      expect(connections).toBe(0);
    });

    it("what a link in the workspace points to", async () => {
      const secret = join(folder, "linked.txt");
      writeFileSync(secret, "secret");
      symlinkSync(secret, join(workspace, "file"));
      symlinkSync(folder, join(workspace, "folder"));
      const { text } = await bash("cat file; ls folder/; echo x > file");
      expect(text).not.toContain("secret\n");
      expect(text.match(/No such file or directory/g)?.length).toBe(3);
      expect(readFileSync(secret, "utf8")).toBe("secret");
    });
  });

  describe("forbids", () => {
    it("a judge to write into the workspace", async () => {
      writeFileSync(join(workspace, "a.txt"), "a");
      const { text } = await bash("echo b > a.txt; echo c > c.txt; rm a.txt; chmod 777 a.txt", { profile: "judge" });
      expect(text.match(/Read-only file system/g)?.length).toBe(4);
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a");
      expect(existsSync(join(workspace, "c.txt"))).toBe(false);
    });

    it("writing to the system and to the kernel's settings, also when root runs us", async () => {
      // Opened for writing, never written to: a test that goes wrong must not change the machine.
      const { text } = await bash(
        'for place in /x /usr/x /etc/x /opt/x /etc/passwd /usr/bin/env /opt/node/bin/node /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do : 2>/dev/null >> $place && echo "open: $place"; done; true',
      );
      expect(text).not.toContain("open:");
    });

    it("new namespaces, mounts and capabilities", async () => {
      const { text } = await bash("unshare --user true; mount -t tmpfs none /tmp; grep CapEff /proc/self/status");
      expect(text).toMatch(/unshare: .*\nmount: .*/);
      expect(text).toContain("CapEff:\t0000000000000000");
    });

    it("a mount point that a link in the workspace would lead elsewhere", async () => {
      const outside = mkdtempSync(join(folder, "outside-"));
      symlinkSync(outside, join(workspace, "node_modules"));
      const mounts = [{ source: programs, target: "/workspace/node_modules/x", access: "read" }] as const;
      const result = await bash("true", { mounts });
      expect(result).toMatchObject({ end: "not-started" });
      expect(existsSync(join(outside, "x"))).toBe(false);
    });

    it("a NUL that would begin an option of its own", async () => {
      const result = await bash("true", { env: { A: "b\0--setenv\0C\0d" } });
      expect(result).toMatchObject({ end: "not-started" });
      expect(result.reason).toContain("NUL");
    });
  });

  describe("ends", () => {
    it.each(["cancel", "time limit"] as const)(
      "with everything in it, whatever session it fled to: %s",
      async (how) => {
        const marker = randomUUID();
        const stop = new AbortController();
        const running = sandbox.run(
          request(leaveGrandchild("stay"), {
            env: { MARKER: marker },
            mounts: [showPrograms],
            signal: stop.signal,
            timeoutSeconds: how === "cancel" ? 20 : 3,
          }),
        );
        if (how === "cancel") {
          await waitUntil("parent and grandchild live", () => findProcesses(marker).length >= 2);
          stop.abort();
        }
        const result = await running;
        // At once, without a wait: whoever reads the workspace next must be alone with it.
        expect(findProcesses(marker)).toEqual([]);
        expect(result).toMatchObject({ end: how === "cancel" ? "cancelled" : "timed-out", exitCode: null });
        // The grandchild had been there.
        if (how === "time limit") expect(result.stdout.text).toMatch(/^\d+\n$/);
      },
    );

    it("with everything in it when its command is over, however many there are", async () => {
      const marker = randomUUID();
      const fork = "for ((i = 0; i < 100; i++)); do setsid bash -c 'sleep 1000; :' $MARKER & done";
      const result = await bash(`node /opt/programs/leave-grandchild.ts $MARKER end; ${fork}`, {
        mounts: [showPrograms],
        env: { MARKER: marker },
      });
      expect(findProcesses(marker)).toEqual([]);
      expect(result).toMatchObject({ end: "exited", exitCode: 0 });
      expect(result.text).toMatch(/^\d+\n$/);
    });

    it("with the command's own exit code", async () => {
      expect((await bash("exit 3")).exitCode).toBe(3);
      expect((await bash("kill -KILL $$")).exitCode).toBe(137);
    });

    it("before it began where its workspace or working folder is missing, and says so", async () => {
      for (const options of [{ workingDirectory: "nowhere" }, { workspace: join(folder, "nowhere") }]) {
        const result = await bash("true", options);
        expect(result).toMatchObject({ end: "not-started", exitCode: null });
        expect(result.reason).toContain("nowhere");
      }
    });
  });

  it("keeps head and tail of a flood, and ends a file that grows without an end", async () => {
    const { stdout } = await sandbox.run(
      request(["node", "/opt/programs/flood.ts", "50"], { mounts: [showPrograms], outputBytesMax: 1_000 }),
    );
    expect(stdout).toMatchObject({ truncated: true, bytes: 50 * 1024 * 1024 + 21 });
    expect(stdout.text).toMatch(/^first line[^]*last line\n$/);
    expect((await bash("ulimit -f; ulimit -c; ulimit -d; ulimit -u")).text).toBe("4194304\n0\n8388608\n4096\n");
  });

  it("has streams that can be opened by name", async () => {
    const { stdout, stderr } = await bash("echo a | tee /dev/stderr; echo b > /dev/stderr");
    expect([stdout.text, stderr.text]).toEqual(["a\n", "a\nb\n"]);
  });

  it("carries a conversation, and its end", async () => {
    const box = sandbox.open(
      request(["bash", "-c", 'while read -r line; do echo "got $line"; done; echo bye >&2; exit 4']),
    );
    const replies = box.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    box.stdin.write("one\n");
    expect((await replies.next()).value).toBe("got one\n");
    box.stdin.end("two\n");
    expect((await replies.next()).value).toBe("got two\n");
    expect(await box.exited).toEqual({ exitCode: 4, stderr: "bye\n" });
  });

  it("carries a conversation that is killed, with everything in it", async () => {
    const marker = randomUUID();
    const options = { mounts: [showPrograms], env: { MARKER: marker } };
    const box = sandbox.open(request(leaveGrandchild("stay"), options));
    box.stdout.resume();
    await waitUntil("parent and grandchild live", () => findProcesses(marker).length >= 2);
    box.kill();
    expect(await box.exited).toMatchObject({ exitCode: null });
    expect(findProcesses(marker)).toEqual([]);
  });

  /** A process of ours with one box, as it would be when the machine's owner kills us. */
  function startOurs(marker: string) {
    const boxed = request(["bash", "-c", "setsid sleep 1000 & touch started; wait", marker]);
    const script = `
      import { openSandbox } from ${JSON.stringify(join(process.cwd(), "src/process/open-sandbox.ts"))};
      const sandbox = await openSandbox({ allowNone: false });
      await sandbox.run(${JSON.stringify(boxed)});`;
    return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  }

  it("dies with us when we are killed", async () => {
    const marker = randomUUID();
    const ours = startOurs(marker);
    await waitUntil("the command runs", () => existsSync(join(workspace, "started")));
    ours.kill("SIGKILL");
    await waitUntil("the box is gone", () => findProcesses(marker).length === 0);
  });

  // Many times: at which moment of the box's making the kill comes differs from try to try.
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("dies with us when we are killed while it is being made: try %i", async () => {
    const marker = randomUUID();
    const ours = startOurs(marker);
    await waitUntil("its making began", () => findProcesses(marker).length >= 2);
    ours.kill("SIGKILL");
    await waitUntil("the box is gone", () => findProcesses(marker).length === 0);
  });

  it("works in a workspace whose name is unusual and whose rights are narrow", async () => {
    workspace = join(folder, "ünusual $(name) 'x'");
    mkdirSync(workspace);
    chmodSync(workspace, 0o700);
    expect((await bash("echo a > b && cat b")).text).toBe("a\n");
  });
});
