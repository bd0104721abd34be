import { parseDocument } from "yaml";
import { z } from "zod";
import type { Problem } from "./domain/event.ts";
import { engineNames } from "./engines/table.ts";

const price = z.strictObject({
  inputUsdPerMillion: z.number().nonnegative(),
  outputUsdPerMillion: z.number().nonnegative(),
  cachedInputUsdPerMillion: z.number().nonnegative(),
});

/** Prices of the default models, in US dollars for a million tokens (the provider's price list): the library's list lags behind. */
const defaultPrices: Readonly<Record<string, z.infer<typeof price>>> = {
  "claude-sonnet-4-5": { inputUsdPerMillion: 3, outputUsdPerMillion: 15, cachedInputUsdPerMillion: 0.3 },
};

/** The file that GAVEL_SETTINGS names. Every key is optional; these are the defaults. */
const schema = z.strictObject({
  engine: z.enum(engineNames as [string, ...string[]]).default("builtin"),
  models: z
    .strictObject({
      implementer: z.string().min(1).default("claude-sonnet-4-5"),
      judge: z.string().min(1).default("claude-sonnet-4-5"),
      /** More models that repositories may ask for. */
      offered: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  prices: z.record(z.string(), price).default({}),
  limits: z
    .strictObject({
      chains_per_repository: z.int().min(1).max(100).default(1),
      chains_at_once: z.int().min(1).max(1000).default(4),
    })
    .prefault({}),
  auto_for_everyone: z.boolean().default(false),
});

export interface OperatorFile {
  readonly engine: string;
  readonly models: { readonly implementer: string; readonly judge: string };
  readonly offered: readonly string[];
  readonly prices: Readonly<Record<string, z.infer<typeof price>>>;
  readonly limits: { readonly chainsPerRepository: number; readonly chainsAtOnce: number };
  readonly autoForEveryone: boolean;
}

/** Reads the operator's file; an empty text gives the defaults. */
export function readOperatorFile(
  name: string,
  text: string,
): { readonly file: OperatorFile | null; readonly problems: readonly Problem[] } {
  const document = parseDocument(text);
  const problem = (message: string): Problem => ({
    code: "settings-invalid",
    message: `${name}: ${message}`,
    cure: "Correct the settings file and start again.",
  });
  if (document.errors.length > 0)
    return { file: null, problems: document.errors.map((error) => problem(error.message)) };
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    return {
      file: null,
      problems: parsed.error.issues.map((issue) => problem(`${issue.path.join(".")} ${issue.message}`)),
    };
  }
  const { engine, models, prices, limits, auto_for_everyone: autoForEveryone } = parsed.data;
  return {
    problems: [],
    file: {
      engine,
      models: { implementer: models.implementer, judge: models.judge },
      offered: models.offered,
      prices: { ...defaultPrices, ...prices },
      limits: { chainsPerRepository: limits.chains_per_repository, chainsAtOnce: limits.chains_at_once },
      autoForEveryone,
    },
  };
}
