import { Octokit } from "@octokit/rest";
import type { RepositoryRef } from "../domain/trigger.ts";
import { statusOf } from "./retry.ts";
import type { Throttle } from "./throttle.ts";

/** How long an owner's file is remembered, in milliseconds: every delivery asks for it. */
const rememberMilliseconds = 60_000;

/** Owners that are remembered at once. */
const ownersMax = 1_000;

interface Remembered {
  readonly text: Promise<string | null>;
  readonly until: number;
}

/**
 * Reads files of an owner's `.github` repository. A token for another repository than the chain's own is minted for
 * it, good for reading contents and nothing else. Where the App is not installed on it, there is no file.
 */
export function openOwnerFiles(
  app: Octokit,
  baseUrl: string,
  throttleOf: (installation: number) => Throttle,
): (ref: RepositoryRef, path: string) => Promise<string | null> {
  const remembered = new Map<string, Remembered>();

  const read = async (ref: RepositoryRef, path: string): Promise<string | null> => {
    try {
      const { data } = await throttleOf(ref.installationId).run("read", () =>
        app.rest.apps.createInstallationAccessToken({
          installation_id: ref.installationId,
          repositories: [".github"],
          permissions: { metadata: "read", contents: "read" },
        }),
      );
      const reader = new Octokit({ baseUrl, auth: data.token, userAgent: "gavel", log: app.log });
      const file = await reader.rest.repos.getContent({ owner: ref.owner, repo: ".github", path });
      const content = file.data;
      if (Array.isArray(content) || content.type !== "file" || !("content" in content)) return null;
      return Buffer.from(content.content, "base64").toString("utf8");
    } catch (error) {
      const status = statusOf(error);
      if (status === 404 || status === 403 || status === 422) return null;
      throw error;
    }
  };

  return (ref, path) => {
    const key = `${ref.installationId}/${ref.owner}/${path}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > Date.now()) return known.text;
    const text = read(ref, path);
    text.catch(() => remembered.delete(key));
    if (remembered.size >= ownersMax) remembered.clear();
    remembered.set(key, { text, until: Date.now() + rememberMilliseconds });
    return text;
  };
}
