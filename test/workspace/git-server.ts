import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { git } from "../../src/workspace/git.ts";

export interface GitServer {
  readonly url: string;
  readonly gitDir: string;
  /** Authorization headers as they came. */
  readonly credentials: (string | undefined)[];
}

/** A real smart-HTTP server on loopback with one bare repository; with a token, it refuses whoever has it not. */
export async function serveGit(folder: string, token: string): Promise<GitServer> {
  const gitDir = join(folder, "octo.git");
  await git(["init", "--quiet", "--bare", "--initial-branch=main"], { gitDir });
  await git(["config", "uploadpack.allowAnySHA1InWant", "true"], { gitDir });
  await git(["config", "http.receivepack", "true"], { gitDir });
  const credentials: (string | undefined)[] = [];
  const wanted = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  const server = createServer((request, response) => {
    credentials.push(request.headers.authorization);
    if (token !== "" && request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end("no");
      return;
    }
    answer(folder, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/octo.git`, gitDir, credentials };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"],
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString(),
      REMOTE_USER: "octo",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    let status = 200;
    for (const line of all.subarray(0, end).toString("latin1").split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status).end(all.subarray(end + 4));
  });
}
