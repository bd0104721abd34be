import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Offer } from "./config/narrow-rules.ts";
import type { Problem } from "./domain/event.ts";
import { engineNames } from "./engines/table.ts";
import { readOperatorFile, type OperatorFile } from "./operator-file.ts";

/** Everything the operator decides, checked as a whole at the start. */
export interface Settings {
  readonly github: {
    readonly appId: number;
    readonly privateKey: string;
    readonly apiUrl: string;
    readonly webUrl: string;
  };
  readonly webhookSecret: string;
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly database: { readonly url: string } | { readonly dataFolder: string };
  readonly anthropic: { readonly apiKey: string; readonly baseUrl: string } | null;
  /** Recording that is replayed instead of calling a model. */
  readonly cassette: string | null;
  readonly isolation: "bubblewrap" | "none";
  /** Engine that the rules' `default` stands for. */
  readonly engine: string;
  readonly models: { readonly implementer: string; readonly judge: string };
  readonly prices: OperatorFile["prices"];
  readonly limits: OperatorFile["limits"];
  readonly offer: Offer;
}

export type ReadSettings =
  | { readonly kind: "ok"; readonly settings: Settings }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment (Probot's names where it has them) and the file GAVEL_SETTINGS names. All that
 * is missing or contradictory is told at once, each with how to get it; nothing is guessed.
 */
export function readSettings(env: Environment, readText: (path: string) => string = readTextFile): ReadSettings {
  const problems: Problem[] = [];
  const miss = (code: string, message: string, cure: string): void => void problems.push({ code, message, cure });

  const appId = Number(env["APP_ID"]);
  if (!Number.isInteger(appId) || appId <= 0) {
    miss(
      "app-id-missing",
      "APP_ID is not set to the App's number.",
      "Take it from the App's settings page, or make the App with `gavel setup`.",
    );
  }
  const privateKey = readPrivateKey(env, readText, miss);
  const webhookSecret = env["WEBHOOK_SECRET"] ?? "";
  if (webhookSecret === "" || webhookSecret === "development") {
    miss(
      "webhook-secret-missing",
      webhookSecret === "" ? "WEBHOOK_SECRET is not set." : 'WEBHOOK_SECRET is "development", which everybody knows.',
      "Set it to the secret in the App's settings; make one with `openssl rand -hex 20`.",
    );
  }
  const cassette = env["GAVEL_CASSETTE"] ?? "";
  const apiKey = env["ANTHROPIC_API_KEY"] ?? "";
  if (apiKey === "" && cassette === "") {
    miss(
      "model-key-missing",
      "ANTHROPIC_API_KEY is not set.",
      "Make a key in the provider's console, and set it for the server alone.",
    );
  }
  const port = Number(env["PORT"] ?? "3000");
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    miss("port-invalid", `PORT is "${env["PORT"]}".`, "Set it to a number from 0 to 65535.");
  const isolation = env["GAVEL_ISOLATION"] ?? "bubblewrap";
  if (isolation !== "bubblewrap" && isolation !== "none") {
    miss(
      "isolation-invalid",
      `GAVEL_ISOLATION is "${isolation}".`,
      "Leave it out, or set it to `none` to run without a sandbox, which every report then says.",
    );
  }
  const operator = readOperator(env, readText, problems);
  if (problems.length > 0 || operator === null) return { kind: "invalid", problems };

  const host = env["GHE_HOST"] ?? "";
  const protocol = env["GHE_PROTOCOL"] ?? "https";
  const dataFolder = resolve(env["GAVEL_DATA_DIR"] ?? ".gavel");
  return {
    kind: "ok",
    settings: {
      github: {
        appId,
        privateKey,
        apiUrl: host === "" ? "https://api.github.com" : `${protocol}://${host}/api/v3`,
        webUrl: host === "" ? "https://github.com" : `${protocol}://${host}`,
      },
      webhookSecret,
      host: env["HOST"] ?? "localhost",
      port,
      dataFolder,
      database: env["DATABASE_URL"] === undefined ? { dataFolder } : { url: env["DATABASE_URL"] },
      anthropic: apiKey === "" ? null : { apiKey, baseUrl: env["ANTHROPIC_BASE_URL"] ?? "https://api.anthropic.com" },
      cassette: cassette === "" ? null : cassette,
      isolation: isolation === "none" ? "none" : "bubblewrap",
      engine: operator.engine,
      models: operator.models,
      prices: operator.prices,
      limits: operator.limits,
      offer: {
        engines: engineNames,
        models: [operator.models.implementer, operator.models.judge, ...operator.offered],
        autoForEveryone: operator.autoForEveryone,
      },
    },
  };
}

function readPrivateKey(
  env: Environment,
  readText: (path: string) => string,
  miss: (code: string, message: string, cure: string) => void,
): string {
  const cure =
    "Download one from the App's settings page and set PRIVATE_KEY_PATH to its file, or make the App with `gavel setup`.";
  const path = env["PRIVATE_KEY_PATH"];
  let key = (env["PRIVATE_KEY"] ?? "").replaceAll("\\n", "\n");
  if (key === "" && path !== undefined) {
    try {
      key = readText(path);
    } catch (error) {
      miss(
        "private-key-unreadable",
        `PRIVATE_KEY_PATH can not be read: ${error instanceof Error ? error.message : String(error)}.`,
        cure,
      );
      return "";
    }
  }
  if (key === "") miss("private-key-missing", "Neither PRIVATE_KEY nor PRIVATE_KEY_PATH is set.", cure);
  else if (!key.includes("PRIVATE KEY-----")) miss("private-key-invalid", "The private key is not in PEM form.", cure);
  return key;
}

function readOperator(env: Environment, readText: (path: string) => string, problems: Problem[]): OperatorFile | null {
  const path = env["GAVEL_SETTINGS"];
  let text = "";
  if (path !== undefined) {
    try {
      text = readText(path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problems.push({
        code: "settings-unreadable",
        message: `GAVEL_SETTINGS can not be read: ${why}.`,
        cure: "Set it to the settings file, or leave it out.",
      });
      return null;
    }
  }
  const read = readOperatorFile(path ?? "settings", text);
  problems.push(...read.problems);
  return read.file;
}

function readTextFile(path: string): string {
  return readFileSync(path, "utf8");
}
