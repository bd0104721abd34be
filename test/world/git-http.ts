import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Auth } from "./auth.ts";
import { findRepository, type Repository, type State } from "./state.ts";

/** `owner/name.git/…` of a smart-HTTP request, or null. */
const gitPath = /^\/([^/]+)\/([^/]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;

export function isGitRequest(path: string): boolean {
  return gitPath.test(path);
}

/** Serves a repository through git's own program. Pushes are told to `pushed`. */
export function serveGit(
  world: {
    readonly state: State;
    readonly auth: Auth;
    readonly root: string;
    readonly pushed: (repository: Repository) => void;
  },
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(incoming.url ?? "/", "http://world.invalid");
  const [, owner = "", name = "", what = ""] = gitPath.exec(url.pathname) ?? [];
  const repository = findRepository(world.state, owner, name);
  const caller = world.auth.gitCaller(incoming.headers.authorization);
  const writes = what === "git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  if (caller.kind !== "installation") {
    response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    return;
  }
  const level = caller.token.permissions["contents"];
  if (
    repository === null ||
    !caller.token.repositories.has(repository.id) ||
    (writes ? level !== "write" : level === undefined)
  ) {
    response.writeHead(404).end();
    return;
  }
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      GIT_PROJECT_ROOT: world.root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROTOCOL: String(incoming.headers["git-protocol"] ?? ""),
      HTTP_CONTENT_ENCODING: String(incoming.headers["content-encoding"] ?? ""),
      PATH_INFO: `/${repository.owner}/${repository.name}.git/${what}`,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: incoming.method ?? "GET",
      CONTENT_TYPE: String(incoming.headers["content-type"] ?? ""),
      REMOTE_USER: "app",
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  incoming.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  let head = Buffer.alloc(0);
  let headDone = false;
  child.stdout.on("data", (chunk: Buffer) => {
    if (headDone) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    headDone = true;
    let status = 200;
    for (const line of head.subarray(0, end).toString().split("\r\n")) {
      const [key = "", value = ""] = line.split(/:\s*/, 2);
      if (key.toLowerCase() === "status") status = Number(value.split(" ")[0]);
      else response.setHeader(key, value);
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
  });
  child.on("close", () => {
    response.end();
    if (what === "git-receive-pack") world.pushed(repository);
  });
}
