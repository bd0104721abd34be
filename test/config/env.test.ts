import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { engineNames as offered } from "../../src/config/engine-names.ts";
import { githubAddress } from "../../src/config/github-address.ts";
import { engineNames } from "../../src/engines/table.ts";
import { readSettings } from "../../src/env.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const whole = { APP_ID: "12", PRIVATE_KEY: pem, WEBHOOK_SECRET: "of this test", ANTHROPIC_API_KEY: "key-of-this-test" };

const noFile = (path: string): string => {
  throw new Error(`there is no ${path}`);
};

function codesOf(env: Record<string, string>, readText = noFile): readonly string[] {
  const read = readSettings(env, readText);
  return read.kind === "ok" ? [] : read.problems.map(({ code }) => code);
}

function settingsOf(env: Record<string, string>, readText = noFile) {
  const read = readSettings(env, readText);
  if (read.kind === "invalid") throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.settings;
}

test("with what is necessary, the rest has defaults", () => {
  expect(settingsOf(whole)).toMatchObject({
    github: { appId: 12, privateKey: pem.trim(), apiUrl: "https://api.github.com", webUrl: "https://github.com" },
    webhookSecret: "of this test",
    host: "localhost",
    port: 3000,
    dataFolder: resolve(".gavel"),
    database: { dataFolder: resolve(".gavel") },
    anthropic: { apiKey: "key-of-this-test", baseUrl: "https://api.anthropic.com" },
    cassette: null,
    isolation: "bubblewrap",
    engine: "builtin",
    limits: { chainsPerRepository: 1, chainsAtOnce: 4 },
    offer: { engines: ["builtin"], autoForEveryone: false },
  });
});

test("without anything, all that is missing is told at once, each with its cure", () => {
  const read = readSettings({}, noFile);
  if (read.kind === "ok") throw new Error("it was taken");
  expect(read.problems.map(({ code }) => code)).toEqual([
    "app-id-missing",
    "private-key-missing",
    "webhook-secret-missing",
    "model-key-missing",
  ]);
  expect(read.problems.every(({ cure }) => cure.length > 10)).toBe(true);
});

test.each([
  [{ WEBHOOK_SECRET: "development" }, ["webhook-secret-missing"]],
  [{ WEBHOOK_SECRET: "" }, ["webhook-secret-missing"]],
  [{ APP_ID: "0" }, ["app-id-missing"]],
  [{ APP_ID: "1e3" }, ["app-id-missing"]],
  [{ PORT: "70000" }, ["port-invalid"]],
  [{ PORT: "-1", APP_ID: "x" }, ["app-id-missing", "port-invalid"]],
  [{ PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----\nxx\n-----END PRIVATE KEY-----" }, ["private-key-invalid"]],
  [{ PRIVATE_KEY_PATH: "key.pem" }, ["private-key-twice"]],
  [{ PRIVATE_KEY: "", PRIVATE_KEY_PATH: "key.pem" }, ["file-unreadable"]],
  [{ GHE_HOST: "https://github.example.org" }, ["github-address-invalid"]],
  [{ GHE_HOST: "github.example.org", GHE_PROTOCOL: "http" }, ["github-address-invalid"]],
  [{ GHE_HOST: "github.example.org", GHE_PROTOCOL: "ftp" }, ["github-address-invalid"]],
  [{ DATABASE_URL: "mysql://somewhere" }, ["url-invalid"]],
  [{ ANTHROPIC_BASE_URL: "somewhere" }, ["url-invalid"]],
  [{ GAVEL_ISOLATION: "docker" }, ["isolation-invalid"]],
  [{ GAVEL_SETTINGS: "gavel.yml" }, ["file-unreadable"]],
  [{ GAVEL_DATADIR: "/data" }, ["setting-unknown"]],
])("%j is refused: %j", (more, codes) => {
  expect(codesOf({ ...whole, ...(more as Record<string, string>) })).toEqual(codes);
});

test("no message holds a secret", () => {
  const env = { ...whole, PORT: "x", DATABASE_URL: "http://user:hunter22@db", PRIVATE_KEY: "not-a-key-but-secret" };
  const read = readSettings(env, noFile);
  expect(read.kind).toBe("invalid");
  expect(JSON.stringify(read)).not.toMatch(/hunter22|but-secret|key-of-this-test|of this test/);
});

test("a key comes through a variable in one line, as base64, or from a file", () => {
  for (const written of [pem.replaceAll("\n", "\\n"), Buffer.from(pem).toString("base64")]) {
    expect(settingsOf({ ...whole, PRIVATE_KEY: written }).github.privateKey).toBe(pem.trim());
  }
  const fromFile = settingsOf({ ...whole, PRIVATE_KEY: "", PRIVATE_KEY_PATH: "key.pem" }, () => pem);
  expect(fromFile.github.privateKey).toBe(pem.trim());
});

test("a recording needs no key, and wins over one", () => {
  expect(settingsOf({ ...whole, GAVEL_CASSETTE: "/replies.jsonl" })).toMatchObject({
    anthropic: null,
    cassette: "/replies.jsonl",
  });
  expect(codesOf({ ...whole, ANTHROPIC_API_KEY: "", GAVEL_CASSETTE: "/replies.jsonl" })).toEqual([]);
});

test("the operator's file is read, and the environment wins over it", () => {
  const file = [
    "models: { implementer: big, judge: wise, offered: [small, big] }",
    "prices: { big: { input: 1, output: 2, cached_input: 0.1 } }",
    "limits: { chains_at_once: 9 }",
    "isolation: none",
    "auto_for_everyone: true",
  ].join("\n");
  const env = { ...whole, GAVEL_SETTINGS: "gavel.yml" };
  expect(settingsOf(env, () => file)).toMatchObject({
    models: { implementer: "big", judge: "wise" },
    prices: { big: { inputUsdPerMillion: 1, outputUsdPerMillion: 2, cachedInputUsdPerMillion: 0.1 } },
    limits: { chainsPerRepository: 1, chainsAtOnce: 9 },
    isolation: "none",
    offer: { models: ["big", "wise", "small"], autoForEveryone: true },
  });
  expect(settingsOf({ ...env, GAVEL_ISOLATION: "bubblewrap" }, () => file).isolation).toBe("bubblewrap");
});

test("everything wrong in the operator's file is told with its place", () => {
  const read = readSettings(
    { ...whole, GAVEL_SETTINGS: "gavel.yml" },
    () => "limits: { chains_at_onec: 9, chains_per_repository: 0 }\nengine: bultin\n",
  );
  if (read.kind === "ok") throw new Error("it was taken");
  expect(read.problems.map(({ message }) => message).toSorted()).toEqual([
    expect.stringMatching(/^gavel\.yml:1:11 limits\.chains_at_onec is not a key .*did you mean chains_at_once\?/),
    expect.stringMatching(/^gavel\.yml:1:\d+ limits\.chains_per_repository must be at least 1/),
    expect.stringMatching(/^gavel\.yml:2:9 engine must be one of builtin, not "bultin"; did you mean builtin\?/),
  ]);
});

test.each([
  ["", "https", "https://api.github.com", "https://github.com"],
  ["github.example.org", "https", "https://github.example.org/api/v3", "https://github.example.org"],
  ["127.0.0.1:4000", "http", "http://127.0.0.1:4000/api/v3", "http://127.0.0.1:4000"],
  ["octo.ghe.com", "https", "https://api.octo.ghe.com", "https://octo.ghe.com"],
])("GitHub at %j by %s", (host, protocol, apiUrl, webUrl) => {
  expect(githubAddress(host, protocol)).toEqual({ kind: "ok", apiUrl, webUrl });
});

test("the engines that may be named are the engines there are", () => {
  expect(offered).toEqual(engineNames);
});
