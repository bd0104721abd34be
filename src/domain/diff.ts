/** One file of a change, as Gavel's own `git diff` sees it. Names are decoded, renames followed. */
export interface ChangedFile {
  readonly path: string;
  /** Set for a rename, else null. */
  readonly oldPath: string | null;
  readonly status: "added" | "modified" | "deleted" | "renamed" | "type-changed";
  /** Octal, as git prints it: `100644`, `100755`, `120000`, `160000`; `000000` where the file is absent. */
  readonly oldMode: string;
  readonly newMode: string;
  /** Blob id in the head tree, or null when deleted. */
  readonly blob: string | null;
  readonly binary: boolean;
  /** Lines; 0 for binaries. */
  readonly added: number;
  readonly removed: number;
  /** The file's hunks as unified text, `@@` lines included; empty for binaries and pure renames. */
  readonly hunks: string;
}

/** A change between two trees. */
export interface Diff {
  readonly baseTree: string;
  readonly headTree: string;
  readonly files: readonly ChangedFile[];
  readonly added: number;
  readonly removed: number;
}
