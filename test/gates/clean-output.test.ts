import { describe, expect, it } from "vitest";
import { cleanOutput, outputCharactersMax, trimOutput } from "../../src/gates/clean-output.ts";

describe("cleanOutput", () => {
  it.each([
    ["colours", "\u001B[31mred\u001B[0m text", "red text"],
    ["links of terminals", "\u001B]8;;http://x.test\u0007word\u001B]8;;\u0007", "word"],
    ["progress on one line", " 10%\r 50%\r100% done\nnext", "100% done\nnext"],
    ["line ends of another system", "a\r\nb\r\n", "a\nb"],
    ["a line wiped at the end", "working\r       \r", "working"],
    ["NUL and other controls", "a\0b\u0007c\u001Bd", "abcd"],
    ["invisible and bidirectional characters", "a\u200Bb\u202Ec\uFEFFd\u{E0041}e", "abcde"],
    ["tabs and line ends stay", "a\tb\n\nc", "a\tb\n\nc"],
    ["half characters", "a\uD83D", "a\uFFFD"],
  ])("%s", (_, given, expected) => {
    expect(cleanOutput(given)).toBe(expected);
  });
});

describe("trimOutput", () => {
  it("leaves what fits", () => {
    expect(trimOutput("x".repeat(outputCharactersMax))).toBe("x".repeat(outputCharactersMax));
  });

  it("keeps head and tail within the limit, cut at line ends, and says how much is missing", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const text = trimOutput(lines.join("\n"));
    expect(text.length).toBeLessThanOrEqual(outputCharactersMax);
    const [head = "", left, tail = ""] = text.split(/\n\[… (\d+) characters left out …\]\n/);
    expect(lines).toEqual(expect.arrayContaining([...head.split("\n"), ...tail.split("\n")]));
    expect(head.startsWith("line 0\n")).toBe(true);
    expect(tail.endsWith("line 1999")).toBe(true);
    expect(head.length + Number(left) + tail.length).toBe(lines.join("\n").length);
  });

  it("tears no character", () => {
    expect(trimOutput("😀".repeat(5_000))).not.toContain("\uD83D\n");
    expect(trimOutput("😀".repeat(5_001)).isWellFormed()).toBe(true);
  });
});
