import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { git } from "../../src/workspace/git.ts";
import { type LocalWorkspace, openWorkspace } from "../../src/workspace/open-workspace.ts";
import type { TreeLimits } from "../../src/workspace/trees.ts";
import type { GitRepository } from "../../src/workspace/workspace.ts";

export type Entry =
  | { readonly kind: "file"; readonly content: string | Buffer; readonly executable?: boolean }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "submodule"; readonly commit: string };

/** Files of a tree by path; a plain string is a file's content. Paths are byte strings (latin1). */
export type Files = Readonly<Record<string, string | Entry>>;

export interface Place {
  readonly dataFolder: string;
  readonly mirror: string;
  readonly workspace: LocalWorkspace;
  readonly repository: GitRepository;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-workspace-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Removes also what an ordinary user may not enter. */
export async function removeFolder(folder: string): Promise<void> {
  await unlock(Buffer.from(folder));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function unlock(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    if (entry.isDirectory()) await unlock(Buffer.concat([folder, Buffer.from("/"), entry.name]));
  }
}

/** A repository of its own in a temporary data folder. */
export async function openPlace(limits: Partial<TreeLimits> = {}): Promise<Place> {
  const dataFolder = await temporaryFolder();
  const workspace = openWorkspace(dataFolder, limits);
  onTestFinished(() => workspace.idle());
  const repository = await workspace.repository("17");
  return { dataFolder, workspace, repository, mirror: join(dataFolder, "repositories", "17", "mirror.git") };
}

/** Writes a tree with `git fast-import`, which takes any name; returns its commit and tree ids. */
export async function makeTree(gitDir: string, files: Files): Promise<{ commit: string; tree: string }> {
  const branch = `refs/made/${Math.random().toString(36).slice(2)}`;
  const parts: Buffer[] = [
    text(`commit ${branch}\ncommitter octo <octo@example.com> 1700000000 +0000\ndata 4\nmade\n`),
  ];
  for (const [path, given] of Object.entries(files)) {
    const entry: Entry = typeof given === "string" ? { kind: "file", content: given } : given;
    if (entry.kind === "submodule") {
      parts.push(text(`M 160000 ${entry.commit} `), quoted(path), text("\n"));
      continue;
    }
    const content = Buffer.from(entry.kind === "link" ? entry.target : entry.content);
    const mode = entry.kind === "link" ? "120000" : entry.executable === true ? "100755" : "100644";
    parts.push(text(`M ${mode} inline `), quoted(path), text(`\ndata ${content.length}\n`), content, text("\n"));
  }
  parts.push(text("\ndone\n"));
  await git(["fast-import", "--quiet", "--done"], { gitDir, stdin: Buffer.concat(parts) });
  const ids = (await git(["rev-parse", branch, `${branch}^{tree}`], { gitDir })).stdout.toString("utf8").split("\n");
  return { commit: ids[0] ?? "", tree: ids[1] ?? "" };
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function quoted(path: string): Buffer {
  const escaped = path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return Buffer.from(`"${escaped}"`, "latin1");
}

/** Puts files on disk as an agent would. */
export async function write(root: string, path: string, content: string | Buffer, mode?: number): Promise<void> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
  if (mode !== undefined) await chmod(full, mode);
}

export async function link(root: string, path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await symlink(target, join(root, path));
}

/** All entries below a folder, as byte strings, folders with a slash at the end. */
export async function listAll(root: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  const folder = Buffer.concat([Buffer.from(root), Buffer.from(`/${below}`, "latin1")]);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = below + entry.name.toString("latin1");
    if (entry.isDirectory()) found.push(`${path}/`, ...(await listAll(root, `${path}/`)));
    else found.push(path);
  }
  return found.sort();
}

export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** Paths and modes of a tree object. */
export async function listObjects(gitDir: string, tree: string): Promise<string[]> {
  const listed = await git(["ls-tree", "-r", "-z", tree], { gitDir });
  return listed.stdout
    .toString("latin1")
    .split("\0")
    .filter(Boolean)
    .map((line) => line.replace(/ \w+ [0-9a-f]+\t/, " "));
}
