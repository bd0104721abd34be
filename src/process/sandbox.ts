import type { ProcessResult } from "./spawn.ts";

/** Who runs in the box. It decides what may be written. */
export type Profile = "implementer" | "judge" | "gate" | "setup";

export interface Mount {
  readonly source: string;
  /** Path inside the box. */
  readonly target: string;
  readonly access: "read" | "write";
}

export interface BoxRequest {
  readonly profile: Profile;
  /** Seen as `/workspace` inside; read-only for a judge. */
  readonly workspace: string;
  readonly mounts: readonly Mount[];
  /** argv, never a shell line; a gate's command is `["bash", "-o", "pipefail", "-c", command]`. */
  readonly argv: readonly string[];
  /** Below `/workspace`; empty for its root. */
  readonly workingDirectory: string;
  /** Added to the allow-listed environment. Never a secret: it can be read in the box. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | Uint8Array | null;
  readonly timeoutSeconds: number;
  readonly outputBytesMax: number;
  readonly signal?: AbortSignal;
}

/** A child that stays, for a conversation over its streams. */
export interface BoxProcess {
  readonly stdin: import("node:stream").Writable;
  readonly stdout: import("node:stream").Readable;
  /** Settles when the box and everything in it is gone. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
  kill(): void;
}

/** The one way in which anything that is not ours is run. */
export interface Sandbox {
  readonly kind: "bubblewrap" | "none";
  /** Runs one command to its end. Never rejects for what the child does. */
  run(request: BoxRequest): Promise<ProcessResult>;
  /** Starts a child for a conversation. Limits and abort signal hold as in `run`. */
  open(request: Omit<BoxRequest, "stdin">): BoxProcess;
  /** Path under which the workspace is seen by the child. */
  workspacePath(workspace: string): string;
}
