import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { fence, untrusted } from "../../src/text/fence.ts";

describe("fence", () => {
  it.each([
    ["a", "", "```\na\n```"],
    ["", "sh", "```sh\n```"],
    ["a\n", "diff", "```diff\na\n```"],
    ["x ``` y", "", "````\nx ``` y\n````"],
    ["``````", "", "```````\n``````\n```````"],
    ["a", "sh`\n## x", "```shx\na\n```".replace("shx", "sh##x")],
  ])("%j", (text, label, written) => {
    expect(fence(text, label)).toBe(written);
  });

  it("is one code block that holds exactly the text", () => {
    const text = fc
      .array(fc.constantFrom("`", "```", "````", "~~~", "\n", "a", " ", "> ", "- ", "<!--", "# x", "é"), {
        maxLength: 20,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (text) => {
        const tree = fromMarkdown(fence(text, "label"));
        expect(tree.children).toHaveLength(1);
        expect(tree.children[0]).toMatchObject({ type: "code", lang: "label", value: text.replace(/\n$/, "") });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("untrusted", () => {
  it("carries the caller's label and no invisible character", () => {
    expect(untrusted("a\u200Bb\n```\n## SUMMARY", "9f2c")).toBe("````untrusted-9f2c\nab\n```\n## SUMMARY\n````");
  });
});
