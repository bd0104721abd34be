import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactSecrets, redactedMark } from "../../src/text/redact.ts";
import { secretShapes } from "../../src/text/secret-shapes.ts";

// Made up, and joined here so that no scanner takes this file for a leak.
const letters = "Ab1".repeat(20);
const samples: Readonly<Record<string, string>> = {
  "github-token": `ghs_${letters}`,
  "github-fine-grained": `github_pat_${letters}`,
  anthropic: `sk-ant-${letters}`,
  "openai-like": `sk-proj-${letters}`,
  "google-api": `AIza${letters.slice(0, 35)}`,
  "google-oauth": `ya29.${letters}`,
  "aws-access-key": `AKIA${"ABCD1234".repeat(2)}`,
  slack: `xoxb-${letters}`,
  "slack-app": `xapp-${letters}`,
  npm: `npm_${letters}`,
  gitlab: `glpat-${letters}`,
  stripe: `sk_live_${letters}`,
  "hugging-face": `hf_${letters}`,
  pypi: `pypi-AgE${letters}`,
  sendgrid: `SG.${letters.slice(0, 22)}.${letters}`,
  jwt: `eyJ${letters}.eyJ${letters}.${letters}`,
  "authorization-header": `Authorization: Bearer ${letters}`,
  "password-in-url": `https://user:${letters}@host.example/x`,
};

describe("shapes", () => {
  it.each(secretShapes.map((shape) => shape.name))("%s is taken out", (name) => {
    const sample = samples[name];
    if (sample === undefined) throw new Error(`no sample for ${name}`);
    const { text, redacted } = redactSecrets(`before "${sample}" after`, []);
    expect(text).toContain(redactedMark);
    expect(text).not.toContain(letters.slice(0, 16));
    expect(text).not.toContain("ABCD1234ABCD1234");
    expect(text).toMatch(/^before .* after$/);
    expect(redacted).toBe(1);
  });

  it.each([
    "sk-some-long-name-of-a-style-class-here",
    "the ghp_ prefix",
    "AKIA",
    "authorization: none",
    "https://example.org:8080/a@b",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "-----BEGIN CERTIFICATE-----",
  ])("leaves %j", (text) => {
    expect(redactSecrets(text, [])).toEqual({ text, redacted: 0 });
  });

  it("takes out a private key, whole, cut off, and escaped in JSON", () => {
    const edge = (word: string) => `-----${word} RSA PRIVATE KEY-----`;
    const key = `${edge("BEGIN")}\n${"MIIEabc+/=\n".repeat(20)}${edge("END")}`;
    expect(redactSecrets(`a ${key} b ${key} c`, [])).toEqual({ text: "a [redacted] b [redacted] c", redacted: 2 });
    expect(redactSecrets(`a ${key.slice(0, 150)}`, [])).toEqual({ text: "a [redacted]", redacted: 1 });
    expect(redactSecrets(JSON.stringify({ key }), [])).toEqual({ text: '{"key":"[redacted]"}', redacted: 1 });
  });

  it("costs no more for text made to hurt", () => {
    const hurting = [
      "-eyJ",
      "eyJaaaaaaaaaa.",
      "-----BEGIN PRIVATE KEY-----\n",
      "://",
      "authorization",
      "sk-",
      "ghp_a",
      "AIza",
    ];
    for (const part of hurting) redactSecrets(part.repeat(400_000 / part.length), ["a-known-secret"]);
    // Quadratic work on 400,000 characters would run into the time limit of the test.
    expect(hurting).toHaveLength(8);
  });
});

describe("known secrets", () => {
  it("takes them out in each form in which they travel", () => {
    const secret = 'q"w/e+r t\\y=ü&1';
    const forms = [
      secret,
      JSON.stringify({ secret }),
      `?k=${encodeURIComponent(secret)}`,
      ...[0, 1, 2].map((n) => Buffer.from(`${"x".repeat(n)}${secret}tail`).toString("base64")),
      Buffer.from(`user:${secret}`).toString("base64url"),
      Buffer.from(secret).toString("hex"),
    ];
    for (const form of forms) {
      const { text, redacted } = redactSecrets(`a ${form} b`, [secret]);
      expect(text, form).toContain(redactedMark);
      expect(redacted).toBe(1);
    }
  });

  it("takes out each line of one with several lines", () => {
    const secret = `first line of it 0123\nsecond line of it 456`;
    expect(redactSecrets("> second line of it 456", [secret])).toEqual({ text: "> [redacted]", redacted: 1 });
  });

  it("leaves words that are too short to be secrets, and takes the longer of two first", () => {
    expect(redactSecrets("main", ["main", ""])).toEqual({ text: "main", redacted: 0 });
    expect(redactSecrets("abcdefgh-rest", ["abcdefgh", "abcdefgh-rest"])).toEqual({ text: "[redacted]", redacted: 1 });
  });

  it("never lets one through, whatever stands around it", () => {
    const secret = fc
      .string({ unit: "binary", minLength: 8, maxLength: 40 })
      .filter((s) => s.trim().length >= 8 && !redactedMark.includes(s.trim()));
    fc.assert(
      fc.property(secret, fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (secret, before, after) => {
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from(secret.trim()), Buffer.from(after)]);
        expect(redactSecrets(before + secret.trim() + after, [secret]).redacted).toBeGreaterThan(0);
        expect(redactSecrets(bytes.toString("base64"), [secret]).redacted).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
