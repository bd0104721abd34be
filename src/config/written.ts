import { z } from "zod";
import { rubricNames } from "./rubric-names.ts";

/**
 * One configuration file exactly as a person writes it. Strict, without a default: those stand in normalize.ts alone.
 * A key that is not here is an error. The JSON schema beside this file is made from it.
 */

const listMax = 50;

/** Text for argv, comments and prompts. A NUL ends a string in C, and so would cut a command. */
function text(charactersMin: number, charactersMax: number) {
  return z
    .string()
    .min(charactersMin)
    .max(charactersMax)
    .refine((value) => !value.includes("\0"), { error: "holds a NUL character" });
}

function list<T extends z.ZodType>(of: T, max = listMax) {
  return z.array(of).max(max);
}

const minutes = (max: number) => z.int().min(1).max(max);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,49}$/, {
  error: "is not a name: a letter or digit, then at most 49 letters, digits, spaces, dots, colons, - or _",
});
const choice = name.describe("`default`, or a name that the operator offers.");
const glob = text(1, 200);
const label = text(1, 50);
const login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/, { error: "is not a login" });
const reviewer = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\/[A-Za-z0-9._-]{1,100})?$/, { error: "is neither a login nor org/team" });

const gate = z.strictObject({
  name,
  command: text(1, 4_000).describe("Its exit code is the fact: 0 is passed."),
  fix: text(1, 4_000).optional().describe("Mends what the gate complains about; tried before any turn is spent."),
  timeout_minutes: minutes(120).optional(),
  working_directory: text(1, 500).optional().describe("Below the repository's root."),
  when: list(glob).optional().describe("Runs only when a changed file matches one of these globs."),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: "is not the name of a variable" }),
      z.union([text(0, 4_000), z.number(), z.boolean()]),
    )
    .optional()
    .describe("Literal values: nothing in them is expanded, and a secret does not belong here."),
});

const judge = z.strictObject({
  name,
  rubrics: list(z.enum(rubricNames), 20).min(1),
  when: list(glob).optional().describe("Takes part only when a changed file matches one of these globs."),
  required: z.boolean().optional().describe("Whether its verdict counts; an advisory judge adds findings only."),
  engine: choice.optional(),
  model: choice.optional(),
  instructions: text(0, 10_000).optional(),
  timeout_minutes: minutes(60).optional(),
});

const trigger = z.strictObject({
  label: label.optional().describe("Put on an issue, it starts a chain; on a pull request, it asks for a judge."),
  permission: z
    .enum(["triage", "write", "maintain", "admin"])
    .optional()
    .describe("Least permission of a person who triggers."),
  bots: list(login).optional().describe("Logins of bots that may trigger."),
  command_prefix: z
    .enum(["optional", "required"])
    .optional()
    .describe("optional: /judge and /gavel judge; required: only /gavel judge."),
});

const implement = z.strictObject({
  engine: choice.optional(),
  model: choice.optional(),
  instructions: text(0, 10_000).optional().describe("Added to every brief."),
  max_revisions: z
    .literal([0, 1], {
      error: "must be 0 or 1: two implementer runs a chain (one, and one revision) is a fixed cap, not a setting",
    })
    .optional(),
  self_review: z.strictObject({ max_iterations: z.int().min(0).max(3).optional() }).optional(),
  fix_turns: z.int().min(0).max(5).optional().describe("Turns a run may spend on failed gates."),
  timeout_minutes: minutes(240).optional().describe("Longest turn."),
});

export const writtenTrigger = trigger;

export const writtenConfig = z.strictObject({
  version: z.literal(1, { error: "must be 1: the only version there is" }).optional(),
  trigger: trigger.optional(),
  approval: z
    .enum(["never", "outside-contributors", "always"])
    .optional()
    .describe("Whether a chain waits for /approve. outside-contributors: the author lacks trigger.permission."),
  setup: list(text(1, 4_000), 20).optional().describe("Commands that are run once in the workspace."),
  implement: implement.optional(),
  gates: z
    .strictObject({
      detect: z.boolean().optional(),
      required: list(name).optional().describe("Names that must pass; empty: all that ran."),
      run: list(gate, 30).optional(),
    })
    .optional(),
  judges: list(judge, 10).optional(),
  judge: z
    .strictObject({
      auto: list(z.enum(["opened", "ready_for_review", "synchronize"]), 3).optional(),
      auto_for: z.enum(["members", "everyone"]).optional(),
      inline_comments_max: z.int().min(0).max(50).optional(),
      error_conclusion: z.enum(["action_required", "neutral"]).optional(),
      gates: z.enum(["members", "never", "always"]).optional(),
      ignore: list(glob).optional().describe("Globs that are not judged."),
    })
    .optional(),
  publish: z
    .strictObject({
      branch: text(1, 100).optional().describe("A template: {number} must, {slug} may stand in it."),
      base: text(1, 200).optional().describe("`default`: the repository's default branch."),
      sign_off: z.boolean().optional(),
      labels: list(label, 20).optional(),
      reviewers: list(reviewer, 15).optional().describe("Logins, and org/team."),
      close_issue: z.boolean().optional().describe('"Closes #n" in the body.'),
    })
    .optional(),
  paths: z
    .strictObject({
      deny: list(glob).optional().describe("Added to the built-in list."),
      allow: list(glob).optional().describe("If set, nothing else may change."),
    })
    .optional(),
  budget: z
    .strictObject({
      usd_per_chain: z.number().gt(0).max(1_000).optional(),
      tokens_per_chain: z.int().min(1_000).max(100_000_000).optional(),
      minutes_per_chain: minutes(1_440).optional(),
      chains_per_day: z.int().min(1).max(10_000).optional(),
    })
    .optional(),
});

export type WrittenConfig = z.infer<typeof writtenConfig>;
export type WrittenTrigger = z.infer<typeof writtenTrigger>;
