import picomatch from "picomatch";
import type { ChangedFile, Diff } from "../domain/diff.ts";

/** How one file of the change reaches the judge. */
export type ShownFile =
  | { readonly kind: "shown"; readonly file: ChangedFile; readonly text: string }
  /** Named with size and hash only: binaries, lockfiles, what a rule of the base commit exempts. */
  | { readonly kind: "listed"; readonly file: ChangedFile; readonly text: string; readonly why: string }
  /** Beyond the budget: nobody judged it, and the verdict has to say so. */
  | { readonly kind: "left-out"; readonly file: ChangedFile; readonly text: string };

const lockfiles = new Set([
  "bun.lock",
  "bun.lockb",
  "Cargo.lock",
  "composer.lock",
  "deno.lock",
  "flake.lock",
  "Gemfile.lock",
  "go.sum",
  "gradle.lockfile",
  "npm-shrinkwrap.json",
  "package-lock.json",
  "Pipfile.lock",
  "pnpm-lock.yaml",
  "poetry.lock",
  "pubspec.lock",
  "uv.lock",
  "yarn.lock",
]);

/** Bytes of UTF-8 for one token, on the low side for code: an estimate, so that no tokeniser has to be loaded. */
const bytesPerToken = 3;

export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/**
 * Decides for each file, in the diff's order, whether it is shown. Small files are served first, so that one large
 * file can not push all others out; a file is shown whole or not at all.
 */
export function showFiles(diff: Diff, ignore: readonly string[], tokensMax: number): readonly ShownFile[] {
  const isIgnored = ignore.length === 0 ? () => false : picomatch([...ignore], { dot: true });
  const wanted = diff.files.map((file) => showFile(file, isIgnored));
  let tokens = 0;
  const served = new Set<ShownFile>();
  for (const shown of [...wanted].sort((a, b) => a.text.length - b.text.length)) {
    tokens += countTokens(shown.text);
    if (tokens > tokensMax) break;
    served.add(shown);
  }
  return wanted.map((shown) =>
    served.has(shown) ? shown : { kind: "left-out", file: shown.file, text: headOf(shown.file) },
  );
}

function showFile(file: ChangedFile, isIgnored: (path: string) => boolean): ShownFile {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const listed = (why: string): ShownFile => ({ kind: "listed", file, text: headOf(file), why });
  if (file.binary) return listed("binary");
  if (lockfiles.has(name)) return listed("lockfile");
  // What can be run is never exempt, whatever a rule says of its name.
  if (isIgnored(file.path) && file.newMode !== "100755") return listed("exempt by `judge.ignore`");
  // A carriage return is part of the change, but would be taken out as invisible: it is shown by its symbol.
  return { kind: "shown", file, text: `${headOf(file)}\n${file.hunks.replaceAll("\r", "␍")}` };
}

/** One line with a file's facts. Names are quoted as JSON where they hold anything but plain characters. */
export function headOf(file: ChangedFile): string {
  const name = file.oldPath === null ? quote(file.path) : `${quote(file.oldPath)} -> ${quote(file.path)}`;
  const modes = file.oldMode === file.newMode ? file.newMode : `${file.oldMode} -> ${file.newMode}`;
  return `${file.status} ${name} mode ${modes} blob ${file.blob ?? "none"} +${file.added} -${file.removed}`;
}

/** A name as it is, or as JSON where it holds anything but plain characters. */
export function quote(path: string): string {
  return /^[\w./@+=,~()[\]-]+$/.test(path) ? path : JSON.stringify(path);
}
