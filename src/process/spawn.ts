/** How a child ended. Timed out, cancelled, killed and "said no" are different results. */
export type ProcessEnd = "exited" | "timed-out" | "cancelled" | "signalled" | "not-started";

export interface CappedOutput {
  /** Head and tail, decoded as UTF-8 (invalid bytes replaced), with a mark where bytes were left out. */
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface ProcessResult {
  readonly end: ProcessEnd;
  /** null unless the child exited by itself. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: CappedOutput;
  readonly stderr: CappedOutput;
  readonly seconds: number;
  /** Why it was not started, timed out or cancelled, in words a user may see. */
  readonly reason: string;
}

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to the child and closed; null closes at once. */
  readonly stdin: string | Uint8Array | null;
  readonly timeoutSeconds: number;
  /** Kept of each stream: half head, half tail. */
  readonly outputBytesMax: number;
  readonly signal?: AbortSignal;
}
