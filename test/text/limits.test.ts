import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { cutText } from "../../src/text/limits.ts";

const mark = "\n\n(cut)";

describe("cutText", () => {
  it("leaves what fits", () => {
    expect(cutText("abc", 3, mark)).toBe("abc");
  });

  it.each([
    ["at a line", `first line\n${"x".repeat(390)}`, 60, `first line${mark}`],
    ["a long line anywhere", "y".repeat(1_000), 507, `${"y".repeat(500)}${mark}`],
    ["before half an emoji", "y".repeat(499) + "😀".repeat(300), 507, `${"y".repeat(499)}${mark}`],
    ["closes a fence", `\`\`\`js\n${"line\n".repeat(200)}`, 57, `\`\`\`js\n${"line\n".repeat(7)}line\n\`\`\`${mark}`],
    [
      "closes details",
      `<details>\n\n${"line\n".repeat(200)}`,
      57,
      `<details>\n\n${"line\n".repeat(4)}line\n\n</details>${mark}`,
    ],
    ["before an open code span", `a \`${"b".repeat(1_000)}\``, 60, `a ${mark}`],
    ["before an open comment", `a <!-- ${"b".repeat(1_000)} -->`, 60, `a ${mark}`],
    ["before an open tag", `a <img ${"b".repeat(1_000)}>`, 60, `a ${mark}`],
    ["to nothing but the mark", "x".repeat(20), mark.length, mark],
    ["to nothing at all", "x".repeat(20), 3, ""],
  ])("cuts %s", (_, text, charactersMax, expected) => {
    expect(cutText(text, charactersMax, mark)).toBe(expected);
  });

  it("keeps what stands after a smaller-than in code", () => {
    const text = `\`\`\`c\nif (a <b)\n\`\`\`\n${"word ".repeat(300)}`;
    expect(cutText(text, 900, mark).length).toBeGreaterThan(800);
  });

  it("keeps the limit and leaves nothing open", () => {
    const part = fc.constantFrom(
      "```\n",
      "````js\n",
      "~~~\n",
      "\n",
      "`",
      "``",
      "<details>\n",
      "</details>\n",
      "<!-- ",
      " -->",
      "<b",
      ">",
      "😀",
      "word ",
      "> ",
      "- ",
      "\n\n",
    );
    const text = fc.array(part, { minLength: 10, maxLength: 60 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 150 }), (text, charactersMax) => {
        const cut = cutText(text, charactersMax, mark);
        expect(cut.length).toBeLessThanOrEqual(charactersMax > text.length ? text.length : charactersMax);
        expect(cut.isWellFormed()).toBe(true);
        if (cut === text || cut === "") return;
        // What is appended is read as a paragraph of its own: nothing before it swallows it.
        expect(fromMarkdown(`${cut}\n\nnext`).children.at(-1)).toMatchObject({
          type: "paragraph",
          children: [{ value: "next" }],
        });
      }),
      { numRuns: 3_000 },
    );
  });
});
