import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutAtWord, pullRequestTitle } from "../../src/domain/title.ts";

const ready = (title: string) => pullRequestTitle(title, { draft: false });
const draft = (title: string) => pullRequestTitle(title, { draft: true });

describe("the title of a pull request", () => {
  test.each([
    ["Say hours", "Say hours"],
    ["  Say\r\nhours\t now \u2028", "Say hours now"],
    ["", "Change without a title"],
    ["\u200B\u202E \u0000", "Change without a title"],
    ["[WIP] [wip] Say hours", "Say hours"],
    ["[WIP]", "Change without a title"],
    ["Say \u202Esruoh\u202C", "Say sruoh"],
    ["🎉🎉", "🎉🎉"],
    ["👩‍👩‍👧 family", "👩‍👩‍👧 family"],
    ["Say\u200Dhours", "Sayhours"],
    ["時間を表示する", "時間を表示する"],
    ['Use `$(rm -rf /)` "here"', 'Use `$(rm -rf /)` "here"'],
    ["Say hours [skip ci]", "Say hours (skip ci)"],
    ["Say hours [CI SKIP] [no ci] [skip actions]", "Say hours (CI SKIP) (no ci) (skip actions)"],
    ["half \uD83D", "half \uFFFD"],
  ])("%j → %j", (title, expected) => {
    expect(ready(title)).toBe(expected);
    expect(draft(title)).toBe(`[WIP] ${expected}`);
  });

  test("is cut at a word", () => {
    const long = "Make the duration say hours and minutes where there are more than sixty minutes of it";
    expect(ready(long)).toBe("Make the duration say hours and minutes where there are more than sixty…");
    expect(ready(long)).toHaveLength(72);
    expect(draft(long)).toBe("[WIP] Make the duration say hours and minutes where there are more than…");
  });

  test("is cut between characters where there is no word", () => {
    expect(ready("あ".repeat(300))).toBe(`${"あ".repeat(71)}…`);
    expect(ready("👩‍👩‍👧".repeat(30))).toBe(`${"👩‍👩‍👧".repeat(8)}…`);
    expect(ready(`e${"\u0301".repeat(300)}`)).toBe("e…");
    expect(ready(`a ${"b".repeat(300)}`)).toBe(`a ${"b".repeat(69)}…`);
  });

  const titles = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .array(fc.constantFrom("[WIP]", "[skip ci]", "word", " ", "\n", "\u200B", "👩‍👩‍👧", "あ", "\uD83D", "e\u0301"), {
        maxLength: 80,
      })
      .map((parts) => parts.join("")),
  );

  test("whatever it is made of: one line, short, whole, not empty, marked only as a draft", () => {
    fc.assert(
      fc.property(titles, fc.boolean(), (title, isDraft) => {
        const made = pullRequestTitle(title, { draft: isDraft });
        expect(made.length).toBeLessThanOrEqual(72);
        expect(made.trim()).toBe(made);
        expect(made.replace("[WIP] ", "")).not.toBe("");
        expect(made).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u);
        expect(made.isWellFormed()).toBe(true);
        expect(made).not.toMatch(/\[(?:skip ci|ci skip|no ci)\]/i);
        expect(/^\[WIP\]/i.test(made)).toBe(isDraft);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a cut never splits what is read as one character", () => {
    const segments = (text: string) =>
      [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].map((s) => s.segment);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
        fc.integer({ min: 20, max: 72 }),
        (line, max) => {
          const cut = cutAtWord(line, max);
          if (cut === line) return;
          const kept = segments(cut.slice(0, -1));
          expect(segments(line).slice(0, kept.length)).toEqual(kept);
        },
      ),
    );
  });
});
