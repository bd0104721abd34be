import type { Problem, TurnEnd } from "../domain/event.ts";
import type { ModelAccess } from "../gateway/access.ts";
import type { Sandbox } from "../process/sandbox.ts";

/** What happened inside a turn, for the progress comment and the record. */
export type TurnProgress =
  | { readonly kind: "tool"; readonly name: string; readonly detail: string }
  | { readonly kind: "text"; readonly text: string };

export interface TurnRequest {
  readonly mode: "implement" | "judge";
  /** Host path of the tree the engine works on. */
  readonly workspace: string;
  /** Read-only in the box beside the workspace: what `setup` left. */
  readonly mounts: readonly import("../process/sandbox.ts").Mount[];
  readonly system: string;
  readonly prompt: string;
  /** What `TurnResult.session` of the turn before held; null begins a session. */
  readonly session: string | null;
  readonly access: ModelAccess;
  readonly timeoutSeconds: number;
  readonly modelCallsMax: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TurnProgress) => void;
}

export interface TurnResult {
  readonly end: TurnEnd;
  /** Why it ended so, in words a user may see. */
  readonly reason: string;
  /** The last reply's text; empty where there is none. */
  readonly reply: string;
  /** Opaque; continues the session in the next turn. null where the engine can not continue. */
  readonly session: string | null;
}

/** The adapter that drives one coding agent. */
export interface Engine {
  readonly name: string;
  /** What keeps this engine from working here; empty when nothing does. */
  check(): Promise<readonly Problem[]>;
  turn(request: TurnRequest, sandbox: Sandbox): Promise<TurnResult>;
}
