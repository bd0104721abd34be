import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { writeProblem } from "./config/config-problems.ts";
import { engineNames } from "./config/engine-names.ts";
import { githubAddress } from "./config/github-address.ts";
import type { Offer } from "./config/narrow-rules.ts";
import { nearestName } from "./config/nearest-name.ts";
import { parseOperatorFile, type OperatorRules } from "./config/operator-file.ts";
import type { Problem } from "./domain/event.ts";

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
  /** 0: any that is free. */
  readonly port: number;
  /** Absolute. Holds mirrors, trees and, without DATABASE_URL, the database. */
  readonly dataFolder: string;
  readonly database: { readonly url: string } | { readonly dataFolder: string };
  readonly anthropic: { readonly apiKey: string; readonly baseUrl: string } | null;
  /** Recording that is replayed instead of calling a model; every report says so. */
  readonly cassette: string | null;
  readonly isolation: "bubblewrap" | "none";
  /** Engine that the rules' `default` stands for. */
  readonly engine: string;
  readonly models: { readonly implementer: string; readonly judge: string };
  readonly prices: OperatorRules["prices"];
  readonly limits: OperatorRules["limits"];
  readonly offer: Offer;
}

export type ReadSettings =
  | { readonly kind: "ok"; readonly settings: Settings }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

type Environment = Readonly<Record<string, string | undefined>>;
type ReadText = (path: string) => string;
type Report = (code: string, message: string, cure: string) => void;

const ownNames = ["GAVEL_CASSETTE", "GAVEL_DATA_DIR", "GAVEL_ISOLATION", "GAVEL_SETTINGS"];

/**
 * Reads the settings from the environment (Probot's names where it has them) and the file GAVEL_SETTINGS names. All that
 * is missing or contradictory is told at once, each with how to get it; nothing is guessed, and no value of a secret is
 * in a message. `readText` throws for a file that can't be read. An empty variable counts as none.
 */
export function readSettings(env: Environment, readText: ReadText = readTextFile): ReadSettings {
  const problems: Problem[] = [];
  const report: Report = (code, message, cure) => void problems.push({ code, message, cure });
  const get = (name: string): string => env[name] ?? "";

  reportUnknown(env, report);
  const appId = readNumber(get("APP_ID"), 1, Number.MAX_SAFE_INTEGER);
  if (appId === null) {
    report(
      "app-id-missing",
      "APP_ID is not set to the App's number.",
      "Take it from the App's settings page, or make the App with `gavel setup`.",
    );
  }
  const privateKey = readPrivateKey(get("PRIVATE_KEY"), get("PRIVATE_KEY_PATH"), readText, report);
  const webhookSecret = readWebhookSecret(get("WEBHOOK_SECRET"), report);
  const address = githubAddress(get("GHE_HOST"), get("GHE_PROTOCOL") || "https");
  if (address.kind === "invalid") {
    const cure = "Set GHE_HOST to the server's name, for example github.example.org, and leave GHE_PROTOCOL out.";
    report("github-address-invalid", `${address.name} ${address.reason}.`, cure);
  }
  const port = readNumber(get("PORT") || "3000", 0, 65_535);
  if (port === null) report("port-invalid", `PORT is "${get("PORT")}".`, "Set it to a number from 0 to 65535.");
  const model = readModel(get, report);
  const databaseUrl = readUrl("DATABASE_URL", get("DATABASE_URL"), ["postgres:", "postgresql:"], report);
  const operator = readOperator(get("GAVEL_SETTINGS"), readText, report);
  const isolation = readIsolation(get("GAVEL_ISOLATION"), report);
  // The narrowing is for the compiler: each of these has been reported.
  if (problems.length > 0 || operator === null || appId === null || port === null || address.kind === "invalid") {
    return { kind: "invalid", problems };
  }
  const dataFolder = resolve(get("GAVEL_DATA_DIR") || ".gavel");
  const { implementer, judge, offered } = operator.models;
  return {
    kind: "ok",
    settings: {
      github: { appId, privateKey, apiUrl: address.apiUrl, webUrl: address.webUrl },
      webhookSecret,
      host: get("HOST") || "localhost",
      port,
      dataFolder,
      database: databaseUrl === "" ? { dataFolder } : { url: databaseUrl },
      ...model,
      isolation: isolation ?? operator.isolation,
      engine: operator.engine,
      models: { implementer, judge },
      prices: operator.prices,
      limits: operator.limits,
      offer: {
        engines: engineNames,
        models: [...new Set([implementer, judge, ...offered])],
        autoForEveryone: operator.autoForEveryone,
      },
    },
  };
}

/** A misspelled setting would be a default that nobody asked for. */
function reportUnknown(env: Environment, report: Report): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith("GAVEL_") || ownNames.includes(name)) continue;
    const nearest = nearestName(name, ownNames);
    const cure = nearest === null ? `Remove it; known are ${ownNames.join(", ")}.` : `Did you mean ${nearest}?`;
    report("setting-unknown", `${name} is not a setting that is known.`, cure);
  }
}

function readPrivateKey(written: string, path: string, readText: ReadText, report: Report): string {
  const cure =
    "Download one from the App's settings page and set PRIVATE_KEY_PATH to its file, or make the App with `gavel setup`.";
  if (written !== "" && path !== "") {
    report("private-key-twice", "PRIVATE_KEY and PRIVATE_KEY_PATH are both set.", "Keep one of the two.");
    return "";
  }
  if (written === "" && path === "") {
    report("private-key-missing", "Neither PRIVATE_KEY nor PRIVATE_KEY_PATH is set.", cure);
    return "";
  }
  const text = path === "" ? written : readFile("PRIVATE_KEY_PATH", path, readText, cure, report);
  if (text === null) return "";
  // One line with \n in it, or base64: what people do to get a key through a variable.
  const unfolded = text.replaceAll("\\n", "\n").trim();
  const key = unfolded.includes("-----") ? unfolded : Buffer.from(unfolded, "base64").toString("utf8").trim();
  try {
    createPrivateKey(key);
    return key;
  } catch {
    report("private-key-invalid", `${path === "" ? "PRIVATE_KEY" : path} holds no private key in PEM form.`, cure);
    return "";
  }
}

function readWebhookSecret(secret: string, report: Report): string {
  const cure = "Set it to the secret in the App's settings; make one with `openssl rand -hex 20`.";
  if (secret === "") report("webhook-secret-missing", "WEBHOOK_SECRET is not set.", cure);
  if (secret === "development") {
    report("webhook-secret-missing", 'WEBHOOK_SECRET is "development", which everybody knows.', cure);
  }
  return secret;
}

/** A recording wins over a key: whoever names one wants no model to be called. */
function readModel(get: (name: string) => string, report: Report): Pick<Settings, "anthropic" | "cassette"> {
  const [apiKey, cassette] = [get("ANTHROPIC_API_KEY"), get("GAVEL_CASSETTE")];
  const url = readUrl("ANTHROPIC_BASE_URL", get("ANTHROPIC_BASE_URL"), ["https:", "http:"], report);
  if (cassette !== "") return { anthropic: null, cassette: resolve(cassette) };
  if (apiKey === "") {
    report(
      "model-key-missing",
      "ANTHROPIC_API_KEY is not set.",
      "Make a key in the provider's console, and set it for the server alone.",
    );
  }
  return { anthropic: { apiKey, baseUrl: url || "https://api.anthropic.com" }, cassette: null };
}

function readIsolation(value: string, report: Report): Settings["isolation"] | null {
  if (value === "" || value === "bubblewrap" || value === "none") return value === "" ? null : value;
  const cure = "Leave it out, or set it to `none` to run without a sandbox, which every report then says.";
  report("isolation-invalid", `GAVEL_ISOLATION is "${value}".`, cure);
  return null;
}

function readOperator(path: string, readText: ReadText, report: Report): OperatorRules | null {
  const cure = "Set it to the settings file, or leave it out.";
  const text = path === "" ? "" : readFile("GAVEL_SETTINGS", path, readText, cure, report);
  if (text === null) return null;
  const parsed = parseOperatorFile(path, text);
  if (parsed.kind === "ok") return parsed.rules;
  for (const problem of parsed.problems) {
    report("settings-invalid", `${writeProblem(problem)}.`, "Correct the settings file and start again.");
  }
  return null;
}

/** The value may hold a password: it is never shown. */
function readUrl(name: string, value: string, protocols: readonly string[], report: Report): string {
  if (value === "" || (URL.canParse(value) && protocols.includes(new URL(value).protocol))) return value;
  report(
    "url-invalid",
    `${name} is not an address that begins with ${protocols[0]}//.`,
    "Correct it, or leave it out.",
  );
  return "";
}

function readFile(name: string, path: string, readText: ReadText, cure: string, report: Report): string | null {
  try {
    return readText(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    report("file-unreadable", `The file that ${name} names can not be read: ${why}.`, cure);
    return null;
  }
}

function readNumber(value: string, least: number, most: number): number | null {
  const number = Number(value);
  return /^\d{1,15}$/.test(value) && number >= least && number <= most ? number : null;
}

function readTextFile(path: string): string {
  return readFileSync(path, "utf8");
}
