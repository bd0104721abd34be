import { writeTree } from "../git.ts";
import { movePulls } from "../pulls.ts";
import { type Call, created, notFound, ok, refused, type Answer, type RouteTable } from "./route.ts";

const read = ["contents", "read"] as const;
const write = ["contents", "write"] as const;
const noCommit = "0".repeat(40);

interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly sha?: string | null;
  readonly content?: string;
}

function createTree({ repository, body }: Call): Answer {
  const { git } = repository;
  const base = body["base_tree"] as string | undefined;
  if (base !== undefined && git.try(["cat-file", "-e", base]) === null) return refused("base_tree does not exist");
  const entries = (body["tree"] as TreeEntry[]).map((entry) => ({
    path: entry.path,
    mode: entry.mode,
    sha: entry.content === undefined ? (entry.sha ?? null) : git.run(["hash-object", "-w", "--stdin"], entry.content),
  }));
  const sha = writeTree(git, base ?? null, entries);
  return created({ sha, url: `https://github.invalid/trees/${sha}`, truncated: false, tree: [] });
}

function createCommit({ repository, body, actor, show }: Call): Answer {
  const { git } = repository;
  const author = body["author"] as { name: string; email: string } | undefined;
  const name = author?.name ?? actor;
  const email = author?.email ?? `${actor}@users.noreply.github.invalid`;
  const parents = (body["parents"] as string[]).flatMap((parent) => ["-p", parent]);
  const args = ["commit-tree", String(body["tree"]), ...parents, "-m", String(body["message"])];
  const sha = git.run(args, undefined, { name, email });
  return created(show.gitCommit(repository, sha));
}

function createRef(call: Call): Answer {
  const { repository, body } = call;
  const ref = String(body["ref"]);
  const sha = String(body["sha"]);
  if (!ref.startsWith("refs/heads/")) return refused("Reference name must start with refs/heads/");
  if (repository.git.try(["rev-parse", "--verify", "--quiet", ref]) !== null) {
    return { status: 422, body: { message: "Reference already exists", documentation_url: "", status: "422" } };
  }
  if (repository.git.try(["cat-file", "-e", `${sha}^{commit}`]) === null) return refused("Object does not exist");
  repository.git.run(["update-ref", ref, sha]);
  call.events.push(repository, ref.slice("refs/heads/".length), noCommit, sha, call.actor);
  return created(refOf(ref, sha));
}

function updateRef(call: Call): Answer {
  const { repository, params, body } = call;
  const ref = `refs/${params["ref"]}`;
  const before = repository.git.try(["rev-parse", "--verify", "--quiet", ref]);
  const sha = String(body["sha"]);
  if (before === null) return refused("Reference does not exist");
  if (body["force"] !== true && repository.git.try(["merge-base", "--is-ancestor", before, sha]) === null) {
    return { status: 422, body: { message: "Update is not a fast forward", documentation_url: "", status: "422" } };
  }
  repository.git.run(["update-ref", ref, sha]);
  const branch = ref.slice("refs/heads/".length);
  call.events.push(repository, branch, before, sha, call.actor);
  movePulls(call.events, repository, branch, sha, call.actor);
  return ok(refOf(ref, sha));
}

const refOf = (ref: string, sha: string): object => ({
  ref,
  node_id: "REF",
  url: `https://github.invalid/${ref}`,
  object: { type: "commit", sha, url: `https://github.invalid/commits/${sha}` },
});

export const gitRoutes: RouteTable = {
  "POST /repos/{owner}/{repo}/git/blobs": {
    needs: write,
    handler: ({ repository, body }) => {
      const bytes = Buffer.from(String(body["content"]), body["encoding"] === "base64" ? "base64" : "utf8");
      const sha = repository.git.run(["hash-object", "-w", "--stdin"], bytes);
      return created({ sha, url: `https://github.invalid/blobs/${sha}` });
    },
  },
  "POST /repos/{owner}/{repo}/git/trees": { needs: write, handler: createTree },
  "POST /repos/{owner}/{repo}/git/commits": { needs: write, handler: createCommit },
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": {
    needs: read,
    handler: ({ repository, params, show }) => {
      const sha = params["commit_sha"] ?? "";
      if (repository.git.try(["cat-file", "-e", `${sha}^{commit}`]) === null) return notFound;
      return ok(show.gitCommit(repository, sha));
    },
  },
  "POST /repos/{owner}/{repo}/git/refs": { needs: write, handler: createRef },
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": { needs: write, handler: updateRef },
  "GET /repos/{owner}/{repo}/git/ref/{ref}": {
    needs: read,
    handler: ({ repository, params }) => {
      const ref = `refs/${params["ref"]}`;
      const sha = repository.git.try(["rev-parse", "--verify", "--quiet", ref]);
      return sha === null ? notFound : ok(refOf(ref, sha));
    },
  },
};
