import type { Octokit } from "@octokit/rest";
import type { RepositoryRef } from "../domain/trigger.ts";

/** GitHub as one chain sees it: one repository of one installation, through our own throttle and retry. */
export interface GitHub {
  readonly repository: RepositoryRef;
  /** Requests go through the installation's throttle; a POST is never repeated blindly. */
  readonly octokit: Octokit;
  /** Login of this App's own bot, for example `gavel[bot]`: markers count only in its comments. */
  readonly botLogin: string;
  /** Smart-HTTP address, without any credential. */
  readonly gitUrl: string;
  /** A token for this repository alone, for git; minted at use, cached until shortly before it expires. */
  readonly gitToken: () => Promise<string>;
  /** What the App may do on this repository, by permission's name: what the last token came with. */
  readonly permissions: () => Promise<Readonly<Record<string, string>>>;
  /** Requests sent so far through this object. */
  readonly calls: () => number;
}

/** The App as a whole: makes what a chain or a delivery needs. */
export interface GitHubApp {
  readonly botLogin: string;
  repository(ref: RepositoryRef): Promise<GitHub>;
  /**
   * A file of the owner's `.github` repository, read with a read-only token for that repository alone; null where it is
   * not there or not ours to read. Remembered for a minute.
   */
  readOwnerFile(ref: RepositoryRef, path: string): Promise<string | null>;
}
