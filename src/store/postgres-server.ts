import { spawn } from "node:child_process";
import type { Account } from "./postgres-account.ts";
import type { Binaries } from "./postgres-binaries.ts";

/** A running PostgreSQL server. */
export interface PostgresServer {
  /** Settles when the server is gone, whoever ended it. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
  /** The last of what it printed, at most {@link logCharactersMax} characters. */
  log(): string;
  /** Ends it: fast shutdown, after 20 s without the farewell, after 25 s by force. */
  stop(): Promise<void>;
}

const logCharactersMax = 8_000;

/**
 * The shell between us and the server. It waits for the end of its input, which comes when we close it and also when
 * we die in whatever way, and then stops the server: the usual end and the sudden one take the same way. It is the
 * server's parent, so that there is no moment in which the server runs unwatched.
 */
const supervisor = `
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
(
  exec 2>/dev/null >/dev/null
  cat <&3
  kill -INT $server
  tries=0
  while kill -0 $server && [ $tries -lt 100 ]; do sleep 0.2; tries=$((tries + 1)); done
  kill -QUIT $server
  sleep 5
  kill -KILL $server
) &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/** Starts `postgres` on a data folder, listening on a Unix socket in `socketFolder` only. Does not wait until it answers. */
export function spawnServer(request: {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly data: string;
  readonly socketFolder: string;
  readonly port: number;
  /** Pid that the folder's stale lock names but that is another program's by now; null where there is none. */
  readonly unrelatedPid: number | null;
}): PostgresServer {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: request.socketFolder,
    unix_socket_permissions: "0700",
    port: String(request.port),
    fsync: "on",
    max_connections: "60",
    shared_buffers: "32MB",
    jit: "off",
    log_checkpoints: "off",
  };
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      supervisor,
      "sh",
      `${request.binaries.folder}/postgres`,
      "-D",
      request.data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...request.account,
      cwd: "/",
      // A session of its own: Ctrl-C in a terminal must reach us alone, or the database is gone before we have finished.
      detached: true,
      stdio: ["pipe", "ignore", "pipe"],
      env: serverEnvironment(request.unrelatedPid),
    },
  );
  let log = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    log = (log + text).slice(-logCharactersMax);
  });
  child.stdin.on("error", () => undefined);
  let gone = false;
  const exited = new Promise<void>((resolve) => {
    const end = (error?: unknown): void => {
      gone = true;
      if (error instanceof Error) log += error.message;
      resolve();
    };
    child.once("exit", () => end());
    child.once("error", end);
  });
  // Nothing of this may keep our process alive: when it ends, the server follows.
  child.unref();
  for (const stream of [child.stdin, child.stderr]) (stream as unknown as { unref?(): void }).unref?.();
  return {
    exited,
    hasExited: () => gone,
    log: () => log,
    stop: async () => {
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}

/** Nothing is inherited but the path: a PGPORT or LC_ALL of the operator's must not reach the server. */
export function serverEnvironment(unrelatedPid: number | null): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
    // A stale lock whose pid was given to another program (usual in containers) would stop the start. PostgreSQL passes
    // over the pid of its grandparent, so that is what this one is called; its other checks stay in force.
    ...(unrelatedPid === null ? {} : { PG_GRANDPARENT_PID: String(unrelatedPid) }),
  };
}
