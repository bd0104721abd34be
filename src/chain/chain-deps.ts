import type { Logger } from "pino";
import type { Rules } from "../config/rules.ts";
import type { Problem } from "../domain/event.ts";
import type { Engine } from "../engines/engine.ts";
import type { Gateway } from "../gateway/access.ts";
import type { GitHubApp } from "../github/github.ts";
import type { Sandbox } from "../process/sandbox.ts";
import type { Records } from "../store/record.ts";
import type { Durable } from "../store/durable.ts";
import type { Circumstances } from "../text/chain-view.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Progress } from "./progress.ts";

/** What is fixed when a chain is opened and never read again: yesterday's chains go on with yesterday's rules. */
export interface Pinned {
  readonly rules: Rules;
  /** Version of rules, rubrics and prompts: a hash. */
  readonly rulesVersion: string;
  /** What was wrong with the configuration; told by the preflight. */
  readonly configProblems: readonly Problem[];
  readonly circumstances: Circumstances;
}

/** Everything that a chain's steps reach the world through. Built once, in deps.ts. */
export interface ChainDeps {
  readonly records: Records;
  readonly durable: Durable;
  readonly app: GitHubApp;
  readonly workspace: Workspace;
  readonly dataFolder: string;
  readonly sandbox: Sandbox;
  readonly gateway: Gateway;
  readonly findEngine: (name: string) => Engine | null;
  readonly engineNames: readonly string[];
  /** Real model names for the rules' `default`. */
  readonly models: { readonly implementer: string; readonly judge: string };
  /** Exact secrets this process holds: nothing that leaves may contain one. */
  readonly secrets: readonly string[];
  /** First wait before a run whose engine could not start is tried again; doubled each time. */
  readonly startBackOffSeconds: number;
  readonly log: Logger;
  readonly progress: Progress;
}
