import type { Core } from "../core.ts";
import { fullName, type Repository } from "../state.ts";

/** A JSON object as the world sends it. */
export type Json = Record<string, unknown>;

export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString("base64url");
}

/** Address of the API below a repository. */
export function apiUrl(core: Core, repository: Repository, path = ""): string {
  return `${core.url}/api/v3/repos/${fullName(repository)}${path}`;
}

/** Address of a page of a repository. */
export function webUrl(core: Core, repository: Repository, path = ""): string {
  return `${core.url}/${fullName(repository)}${path}`;
}
