import { checkDatabase } from "./database.ts";
import { checkEngines } from "./engines.ts";
import { checkFiles } from "./files.ts";
import type { Check } from "./finding.ts";
import { checkGit } from "./git.ts";
import { checkNode } from "./node.ts";
import { checkSandbox } from "./sandbox.ts";
import { checkSettings } from "./settings.ts";

/** What the doctor looks at, in this order; one row, one file. */
export const checks = {
  node: checkNode,
  files: checkFiles,
  git: checkGit,
  sandbox: checkSandbox,
  database: checkDatabase,
  engines: checkEngines,
  settings: checkSettings,
} satisfies Record<string, Check>;
