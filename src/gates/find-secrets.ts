import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";

/** A well-known kind of secret, and where it stands. Never the secret itself. */
export interface SecretPlace {
  /** For example `GITHUB_TOKEN`. */
  readonly kind: string;
  /** From 1. */
  readonly line: number;
}

/** This rule obeys comments that turn the scanner off. Whoever wrote the text must not decide whether it is looked at. */
const switches = "@secretlint/secretlint-rule-filter-comments";

const config = {
  rules: rules.filter(({ meta }) => meta.id !== switches).map((rule) => ({ id: rule.meta.id, rule })),
};

/** Finds what looks like a secret in a text. `path` decides which rules apply: some look at certain files only. */
export async function findSecrets(text: string, path: string): Promise<readonly SecretPlace[]> {
  const { messages } = await lintSource({
    source: {
      content: text,
      filePath: `/${path}`,
      ext: /\.[^./]+$/.exec(path)?.[0] ?? "",
      contentType: "text",
    },
    options: { config, maskSecrets: true, noPhysicFilePath: true },
  });
  return messages
    .filter((message) => message.type === "message")
    .map((message) => ({ kind: message.messageId, line: message.loc.start.line }));
}
