import type { ConfigReading } from "../config/read-rules.ts";
import type { StopRequested } from "../domain/event.ts";
import type { Trigger } from "../domain/trigger.ts";
import type { GitHub, GitHubApp } from "../github/github.ts";
import type { Records } from "../store/record.ts";
import type { ChainView } from "../text/chain-view.ts";

/** What a delivery can lead to. Chains are reached through these few functions: nothing here knows an engine. */
export interface CommandDeps {
  readonly app: GitHubApp;
  readonly records: Records;
  /** Exact secrets this process holds: nothing that leaves may contain one. */
  readonly secrets: readonly string[];
  readonly readRules: (github: GitHub) => Promise<ConfigReading>;
  /** Opens the chain of a trigger and starts it; the same trigger never starts two. */
  readonly startChain: (
    trigger: Trigger,
    config: ConfigReading,
    approval: "needed" | "not-needed",
  ) => Promise<"started" | "busy">;
  /** Stores the stop, then cuts off what is running. */
  readonly stopChain: (chain: string, key: string, stop: StopRequested) => Promise<void>;
  /** Makes a chain look again whether its approval has come. */
  readonly wakeChain: (chain: string) => Promise<void>;
  readonly viewChain: (chain: string) => Promise<ChainView | null>;
}
