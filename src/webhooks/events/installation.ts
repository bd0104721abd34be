import { z } from "zod";
import type { HookReader } from "../hook-reading.ts";
import { account } from "../payload.ts";

const schema = z.object({ sender: account });

/** `installation`: deleted, suspend; `installation_repositories`: removed. */
export const readUninstalled: HookReader = (payload) => {
  const { success, data } = schema.safeParse(payload);
  if (!success) return null;
  return {
    facts: { kind: "uninstalled" },
    about: null,
    person: data.sender,
    viaAppId: null,
    label: null,
    commentId: null,
    seenAt: { kind: "nowhere" },
  };
};
