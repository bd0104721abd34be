import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { branchName, nextBranchName } from "../../src/domain/branch-name.ts";

const template = "gavel/{number}-{slug}";

/** git's own rules for a branch (git-check-ref-format), and what GitHub adds. */
function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.startsWith("-")) return false;
  if (name.startsWith("/") || name.endsWith("/") || name.endsWith(".") || name.includes("//")) return false;
  if (name.includes("..") || name.includes("@{")) return false;
  // oxlint-disable-next-line no-control-regex -- exactly these are forbidden
  if (/[\u0000-\u0020\u007F~^:?*[\\]/.test(name)) return false;
  if (name.split("/").some((part) => part.startsWith(".") || part.endsWith(".lock"))) return false;
  return !/^[0-9a-f]{40}$/i.test(name) && !name.startsWith("refs/");
}

describe("the branch a chain would like", () => {
  test.each([
    [template, 7, "say-hours", "gavel/7-say-hours"],
    [template, 7, "", "gavel/7"],
    [template, 7, "---", "gavel/7"],
    [template, 7, "時間", "gavel/7"],
    [template, 7, "a@b#c,d'e(f)", "gavel/7-a-b-c-d-e-f"],
    ["{slug}", 7, "", "gavel/7"],
    ["{slug}/{number}", 7, "", "7"],
    ["{slug}", 7, "head", "gavel/7-head"],
    ["{slug}", 7, "refs", "gavel/7-refs"],
    ["{slug}", 7, "0123456789abcdef0123456789abcdef01234567", "gavel/7-0123456789abcdef0123456789abcdef01234567"],
    ["-{number}", 7, "", "7"],
    ["bot//{number}..{slug}.lock/", 7, "x", "bot/7.x"],
    ["a.lock.lock/{number}", 7, "", "a/7"],
    ["refs/heads/{number}", 7, "", "gavel/7"],
    ["", 7, "x", "gavel/7-x"],
    ["{number}-{number}", 7, "", "7-7"],
    ["feature/{number} {slug}", 7, "x", "feature/7-x"],
    ["$&{number}", 7, "$&", "7"],
  ])("%j, %i, %j → %s", (template, number, slug, expected) => {
    expect(branchName(template, { number, slug })).toBe(expected);
  });

  test("is cut at a word of its slug and keeps its number", () => {
    const slug = Array.from({ length: 40 }, () => "word").join("-");
    expect(branchName(template, { number: 12_345, slug })).toBe(`gavel/12345-${slug.slice(0, 84)}`);
    expect(branchName(`${"x".repeat(200)}/{number}`, { number: 7, slug: "s" })).toBe("gavel/7-s");
    expect(branchName("{slug}-{number}", { number: 7, slug: "x".repeat(300) })).toMatch(/^x{94}-7$/);
  });

  const parts = fc.constantFrom(
    "{number}",
    "{slug}",
    "/",
    ".",
    "..",
    "-",
    ".lock",
    "@{",
    "HEAD",
    " ",
    "~",
    "x",
    "é",
    "refs/",
    "\n",
    "{",
    "\\",
  );
  const templates = fc.oneof(
    fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
    fc.string({ maxLength: 150 }),
  );
  const slugs = fc.oneof(fc.stringMatching(/^[a-z0-9-]{0,120}$/), fc.string({ unit: "grapheme", maxLength: 200 }));

  test("whatever it is made of: git takes it, with each suffix, and it is short and plain", () => {
    fc.assert(
      fc.property(templates, fc.integer({ min: 1, max: 10_000_000 }), slugs, (template, number, slug) => {
        const name = branchName(template, { number, slug });
        const taken = [name];
        for (let suffix = 2; suffix <= 50; suffix++) taken.push(nextBranchName(name, taken));
        expect(new Set(taken).size).toBe(50);
        for (const each of taken) {
          expect(isBranchName(each), each).toBe(true);
          expect(each.length).toBeLessThanOrEqual(100);
          expect(each).toMatch(/^[A-Za-z0-9._/+=-]+$/);
          expect(each).not.toMatch(/[-/]$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the next free name", () => {
  test.each([
    ["gavel/7", [], "gavel/7-2"],
    ["gavel/7", ["gavel/7"], "gavel/7-2"],
    ["gavel/7", ["gavel/7", "gavel/7-2", "gavel/7-4"], "gavel/7-3"],
  ] as const)("%s with %j taken → %s", (name, taken, expected) => {
    expect(nextBranchName(name, taken)).toBe(expected);
  });

  test("makes room for its suffix", () => {
    const name = nextBranchName(`${"x".repeat(97)}-yz`, []);
    expect(name).toBe(`${"x".repeat(97)}-2`);
  });
});
