import { z } from "zod";
import type { Person, RepositoryRef } from "../domain/trigger.ts";

/** Parts of GitHub's payloads: only the fields that are used, and as lenient as what was seen in the field. */

/** Deleted accounts are null, or left out. */
export const account = z
  .object({ login: z.string().min(1), type: z.string().nullish() })
  .nullish()
  .catch(null)
  .transform((user): Person | null => (user == null ? null : { login: user.login, type: typeOf(user.type) }));

export const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");

/** ISO 8601, or seconds as some events have them; null where there is neither. */
export const time = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value): string | null => {
    const date = typeof value === "number" ? new Date(value * 1_000) : new Date(value ?? Number.NaN);
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  });

export const label = z.object({ name: z.string() });

/** In issue events and comments, pull requests are issues with this key. */
export const issue = z
  .object({
    number: z.int().min(1),
    title: text,
    body: text,
    user: account,
    html_url: text,
    updated_at: time,
    pull_request: z.unknown().optional(),
  })
  .transform(({ pull_request, ...rest }) => ({
    ...rest,
    headSha: null,
    item: {
      kind: pull_request === undefined || pull_request === null ? "issue" : "pull-request",
      number: rest.number,
    } as const,
  }));

export const pullRequest = z
  .object({
    number: z.int().min(1),
    title: text,
    body: text,
    user: account,
    html_url: text,
    updated_at: time,
    draft: z.boolean().nullish().catch(null),
    head: z
      .object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) })
      .nullish()
      .catch(null),
  })
  .transform(({ head, draft, ...rest }) => ({
    ...rest,
    draft: draft === true,
    headSha: head?.sha ?? null,
    item: { kind: "pull-request", number: rest.number } as const,
  }));

const origin = z.object({
  installation: z.object({ id: z.int().min(1) }),
  repository: z.object({
    id: z.int().min(1),
    name: z.string().min(1),
    owner: z.object({ login: z.string().min(1) }),
    default_branch: z.string().min(1),
  }),
});

/** The repository, or null where the payload names none, or no installation through which it could be reached. */
export function readRepository(payload: unknown): RepositoryRef | null {
  const { success, data } = origin.safeParse(payload);
  if (!success) return null;
  const { installation, repository } = data;
  return {
    installationId: installation.id,
    id: repository.id,
    owner: repository.owner.login,
    name: repository.name,
    defaultBranch: repository.default_branch,
  };
}

function typeOf(type: string | null | undefined): Person["type"] {
  return type === "User" || type === "Bot" || type === "Organization" || type === "Mannequin" ? type : "unknown";
}
