import { posix } from "node:path";
import pLimit from "p-limit";
import type { ChangedFile } from "../domain/diff.ts";
import type { Breach } from "../domain/gate-result.ts";
import { readAddedText } from "./added-text.ts";
import { findDenied, matchesAny } from "./denied-paths.ts";
import { findSecrets } from "./find-secrets.ts";

/** Limits of a change. Beyond them nobody could judge it. */
export interface PolicyLimits {
  readonly fileBytesMax: number;
  readonly filesMax: number;
}

export const policyLimits: PolicyLimits = { fileBytesMax: 5 * 1024 * 1024, filesMax: 500 };

export interface PolicyRequest {
  readonly files: readonly ChangedFile[];
  readonly readBlob: (blob: string) => Promise<Uint8Array>;
  /** The configuration's globs: `deny` adds to the built-in list; where `allow` holds any, nothing else may change. */
  readonly paths: { readonly deny: readonly string[]; readonly allow: readonly string[] };
  readonly limits?: PolicyLimits;
}

const blobsAtOnce = 8;
/** Breaches told of one change; more would help nobody. */
const breachesMax = 100;

/**
 * What of a change may never be pushed: denied paths, secrets, what is too large or too much, links and submodules that
 * point outside, special files. Empty: green. No reason ever holds the secret itself.
 */
export async function checkPolicy(request: PolicyRequest): Promise<readonly Breach[]> {
  const limits = request.limits ?? policyLimits;
  const { files } = request;
  const tooMany: readonly Breach[] =
    files.length <= limits.filesMax
      ? []
      : [
          breach(
            "too-many",
            "",
            `${files.length} files are changed; the limit is ${limits.filesMax}. Split the change.`,
          ),
        ];
  const atOnce = pLimit(blobsAtOnce);
  const found = await Promise.all(
    files.map(async (file, index) => [
      ...checkPaths(file, request.paths),
      ...checkMode(file),
      // Beyond the limit the change is refused anyway: nothing more is read.
      ...(index < limits.filesMax ? await atOnce(() => checkContent(file, request.readBlob, limits)) : []),
    ]),
  );
  const breaches = [...tooMany, ...found.flat()];
  if (breaches.length <= breachesMax) return breaches;
  const left = breaches.length - breachesMax;
  return [...breaches.slice(0, breachesMax), breach("too-many", "", `${left} more breaches are not listed.`)];
}

function breach(kind: Breach["kind"], path: string, reason: string): Breach {
  return { kind, path, reason };
}

/** A rename takes a file from its old place: that is a change of both. */
function checkPaths(file: ChangedFile, paths: PolicyRequest["paths"]): readonly Breach[] {
  const touched = file.oldPath === null ? [file.path] : [file.path, file.oldPath];
  return touched.flatMap((path) => {
    const what = findDenied(path);
    if (what !== null) return [breach("denied-path", path, `It is ${what}: only a person may change it. Take it out.`)];
    if (matchesAny(paths.deny, path)) {
      return [breach("denied-path", path, "`paths.deny` of the configuration names it. Take it out of the change.")];
    }
    if (paths.allow.length > 0 && !matchesAny(paths.allow, path)) {
      return [breach("not-allowed-path", path, "`paths.allow` of the configuration does not name it. Take it out.")];
    }
    return [];
  });
}

const absent = "000000";
const submodule = "160000";
const link = "120000";
const ordinary = new Set([absent, submodule, link, "100644", "100755"]);

function checkMode({ path, newMode, status }: ChangedFile): readonly Breach[] {
  if (newMode === submodule && status !== "deleted") {
    return [breach("submodule", path, "It is a new or changed submodule: only a person may point one elsewhere.")];
  }
  if (!ordinary.has(newMode)) return [breach("special-file", path, `A file of mode ${newMode} can not be committed.`)];
  return [];
}

async function checkContent(
  file: ChangedFile,
  readBlob: PolicyRequest["readBlob"],
  { fileBytesMax }: PolicyLimits,
): Promise<readonly Breach[]> {
  if (file.blob === null || file.newMode === submodule || file.newMode === absent) return [];
  const bytes = await readBlob(file.blob);
  if (file.newMode === link) return checkLink(file.path, new TextDecoder().decode(bytes));
  const mebibytes = (size: number): string => `${Math.ceil((size / 1024 / 1024) * 10) / 10} MiB`;
  if (bytes.length > fileBytesMax) {
    const reason = `It has ${mebibytes(bytes.length)}; the limit for one file is ${mebibytes(fileBytesMax)}.`;
    return [breach("too-large", file.path, reason)];
  }
  return await checkSecrets(file, bytes);
}

/** A binary has no hunks: all of it is looked at, or one NUL byte would hide a whole file of keys. */
async function checkSecrets(file: ChangedFile, bytes: Uint8Array): Promise<readonly Breach[]> {
  const added = file.binary ? null : readAddedText(file.hunks);
  const found = await findSecrets(added?.text ?? Buffer.from(bytes).toString("latin1"), file.path);
  return found.map(({ kind, line }) => {
    const where = added === null ? "in a binary file" : `in line ${added.lines[line - 1] ?? line}`;
    return breach(
      "secret",
      file.path,
      `What looks like a secret (${kind}) stands ${where}. Take it out, and revoke it.`,
    );
  });
}

function checkLink(path: string, target: string): readonly Breach[] {
  const resolved = posix.normalize(posix.join(posix.dirname(path), target));
  const inside = !posix.isAbsolute(target) && !resolved.startsWith("../") && resolved !== "..";
  if (inside && !resolved.split("/").some((part) => part.toLowerCase() === ".git")) return [];
  return [
    breach("link-outside", path, "It is a link to a place outside the repository. Link within it, or take it out."),
  ];
}
