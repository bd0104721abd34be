import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { tellMovedBranches } from "../acts/branches.ts";
import { readGitCaller } from "../auth/caller.ts";
import { coversRepository, type Tokens } from "../auth/tokens.ts";
import { suffices } from "../api/access.ts";
import type { Core } from "../core.ts";
import { findRepository, type Repository } from "../state.ts";
import { gitEnvironment } from "./bare.ts";

/** Head of a CGI answer, in bytes. */
const headBytesMax = 64 * 1024;

const services = ["info/refs", "git-upload-pack", "git-receive-pack"];

/** Serves a repository to git itself: smart HTTP through `git http-backend`, streamed both ways. */
export async function serveGit(
  world: { readonly core: Core; readonly tokens: Tokens },
  request: Request,
  at: { readonly owner: string; readonly name: string; readonly service: string },
): Promise<Response> {
  const { core, tokens } = world;
  const { searchParams, search } = new URL(request.url);
  if (!services.includes(at.service)) return new Response("Not found", { status: 404 });
  const caller = readGitCaller(tokens, request.headers.get("authorization") ?? undefined);
  if (caller.kind !== "installation") {
    return new Response(caller.kind === "nobody" ? caller.why : "", {
      status: 401,
      headers: { "www-authenticate": 'Basic realm="GitHub"' },
    });
  }
  const writes = [at.service, searchParams.get("service")].includes("git-receive-pack");
  const repository = findRepository(core.state, at.owner, at.name);
  if (repository === null || !coversRepository(caller.token, repository.id)) {
    return new Response("Repository not found.", { status: 404 });
  }
  if (!suffices(caller.token.permissions, ["contents", writes ? "write" : "read"])) {
    return new Response(`Permission to ${at.owner}/${at.name}.git denied to ${core.app.botLogin}.`, { status: 403 });
  }
  const told = at.service === "git-receive-pack" ? () => tellMovedBranches(core, repository, core.app.botLogin) : null;
  return await runBackend(core, request, repository, at.service, search.slice(1), told);
}

async function runBackend(
  core: Core,
  request: Request,
  repository: Repository,
  service: string,
  query: string,
  afterwards: (() => void) | null,
): Promise<Response> {
  const child = spawn("git", ["http-backend"], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: core.root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
      PATH_INFO: `/${repository.id}.git/${service}`,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      REMOTE_USER: core.app.botLogin,
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  // A client that goes away takes its git with it.
  request.signal.addEventListener("abort", () => child.kill());
  if (request.body === null) child.stdin.end();
  // git may stop reading before all is sent; what matters then is its answer.
  else pipeline(Readable.fromWeb(request.body as never), child.stdin).catch(() => undefined);
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { status, headers, rest } = await readHead(output);
  const body = async function* (): AsyncGenerator<Buffer> {
    if (rest.length > 0) yield rest;
    for (;;) {
      const { done, value } = await output.next();
      if (done === true) break;
      yield value;
    }
    await exited;
    // Before the last byte leaves: who pushed finds the world as the push left it.
    afterwards?.();
  };
  return new Response(Readable.toWeb(Readable.from(body())) as ReadableStream, { status, headers });
}

async function readHead(output: AsyncIterator<Buffer>) {
  let head = Buffer.alloc(0);
  let end = -1;
  while (end === -1 && head.length < headBytesMax) {
    const { done, value } = await output.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
    end = head.indexOf("\r\n\r\n");
  }
  if (end === -1) return { status: 500, headers: {}, rest: Buffer.from("git http-backend did not answer") };
  const headers: Record<string, string> = {};
  for (const line of head.subarray(0, end).toString().split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status: given, ...others } = headers;
  return { status: Number.parseInt(given ?? "200", 10), headers: others, rest: head.subarray(end + 4) };
}
