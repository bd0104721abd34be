import type { Hooks } from "./hooks/hooks.ts";
import type { State } from "./state.ts";

export type Level = "read" | "write";
export type Permissions = Readonly<Record<string, Level>>;

/** The App that the world knows, and its one installation on every repository. */
export interface App {
  readonly id: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly slug: string;
  readonly botLogin: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  readonly hookId: number;
  readonly installationId: number;
  readonly createdAt: string;
  permissions: Permissions;
  /** Webhooks that the App asked for. */
  events: readonly string[];
  installed: boolean;
}

/** What every part of the world works with. */
export interface Core {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly app: App;
  readonly state: State;
  readonly hooks: Hooks;
  /** Folder of the bare repositories. */
  readonly root: string;
  readonly now: () => Date;
  /** Notes that something differs from GitHub's description. */
  readonly violation: (what: string) => void;
}
