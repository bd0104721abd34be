import { z } from "zod";
import type { ConfigProblem } from "./config-problem.ts";
import { engineNames } from "./engine-names.ts";
import { explainIssues, type SchemaNode } from "./explain-issue.ts";
import { readYaml } from "./read-yaml.ts";

const model = z.string().min(1).max(200);
const usd = z.number().min(0).max(100_000);

/** US dollars for a million tokens. */
const price = z.strictObject({ input: usd, output: usd, cached_input: usd });

/** The file that GAVEL_SETTINGS names, strictly as the operator writes it. Every key is optional. */
const operatorFile = z.strictObject({
  engine: z.enum(engineNames).optional().describe("What `default` stands for in a repository's configuration."),
  models: z
    .strictObject({
      implementer: model.optional(),
      judge: model.optional(),
      offered: z.array(model).max(50).optional().describe("More models that repositories may ask for."),
    })
    .optional(),
  prices: z.record(z.string().min(1), price).optional().describe("US dollars for a million tokens, by model."),
  limits: z
    .strictObject({
      chains_per_repository: z.int().min(1).max(100).optional(),
      chains_at_once: z.int().min(1).max(1_000).optional(),
    })
    .optional(),
  isolation: z.enum(["bubblewrap", "none"]).optional().describe("none: no sandbox, which every report then says."),
  auto_for_everyone: z.boolean().optional().describe("Whether repositories may set judge.auto_for to everyone."),
});

export interface OperatorPrice {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  readonly cachedInputUsdPerMillion: number;
}

export interface OperatorRules {
  readonly engine: string;
  readonly models: { readonly implementer: string; readonly judge: string; readonly offered: readonly string[] };
  readonly prices: Readonly<Record<string, OperatorPrice>>;
  readonly limits: { readonly chainsPerRepository: number; readonly chainsAtOnce: number };
  readonly isolation: "bubblewrap" | "none";
  readonly autoForEveryone: boolean;
}

const defaultModel = "claude-sonnet-4-5";

/** Of the default model, from the provider's price list: the published list that the gateway knows lags behind. */
const defaultPrices: Readonly<Record<string, OperatorPrice>> = {
  [defaultModel]: { inputUsdPerMillion: 3, outputUsdPerMillion: 15, cachedInputUsdPerMillion: 0.3 },
};

const schema = z.toJSONSchema(operatorFile, { io: "input" }) as SchemaNode;

/** Reads the operator's file; an empty text gives the defaults. All problems are told at once. */
export function parseOperatorFile(
  name: string,
  text: string,
):
  | { readonly kind: "ok"; readonly rules: OperatorRules }
  | { readonly kind: "invalid"; readonly problems: readonly ConfigProblem[] } {
  const file = readYaml(name, text);
  const parsed = operatorFile.safeParse(file.value ?? {});
  const problems = [...file.problems, ...(parsed.success ? [] : explainIssues(parsed.error.issues, file, schema))];
  if (!parsed.success || problems.length > 0) return { kind: "invalid", problems };
  const { engine, models, prices, limits, isolation, auto_for_everyone: autoForEveryone } = parsed.data;
  const ownPrices = Object.entries(prices ?? {}).map(([name, { input, output, cached_input: cached }]) => [
    name,
    { inputUsdPerMillion: input, outputUsdPerMillion: output, cachedInputUsdPerMillion: cached },
  ]);
  return {
    kind: "ok",
    rules: {
      engine: engine ?? "builtin",
      models: {
        implementer: models?.implementer ?? defaultModel,
        judge: models?.judge ?? defaultModel,
        offered: models?.offered ?? [],
      },
      prices: { ...defaultPrices, ...(Object.fromEntries(ownPrices) as Record<string, OperatorPrice>) },
      limits: {
        chainsPerRepository: limits?.chains_per_repository ?? 1,
        chainsAtOnce: limits?.chains_at_once ?? 4,
      },
      isolation: isolation ?? "bubblewrap",
      autoForEveryone: autoForEveryone ?? false,
    },
  };
}
