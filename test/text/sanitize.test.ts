import * as fc from "fast-check";
import type { Node } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { visit } from "unist-util-visit";
import { describe, expect, it } from "vitest";
import { defang, defangLine, defangPlain, removeInvisible } from "../../src/text/sanitize.ts";

describe("removeInvisible", () => {
  it.each([
    ["zero width", "a\u200Bb\u200Cc\u200Dd\u200Ee\u200Ff", "abcdef", 5],
    ["bidirectional", "a\u202Ab\u202Ec\u2066d\u2069e\u061Cf", "abcdef", 5],
    ["byte order mark", "\uFEFFa", "a", 1],
    ["tags", "a\u{E0041}\u{E007F}\u{E0000}", "a", 3],
    ["control characters", "a\u0000b\u001Bc\u007Fd\u0085e\tf\n", "abcde\tf\n", 4],
    ["line ends", "a\r\nb\rc", "a\nb\nc", 0],
    ["half a surrogate pair", "a\uD83Db", "a\uFFFDb", 0],
    ["fillers and smuggled selectors", "a\u3164\u115F\u{E0100}\u{E01EF}\uFE01\u2060\u00AD", "a", 7],
  ])("takes out: %s", (_, text, visible, removed) => {
    expect(removeInvisible(text)).toEqual({ text: visible, removed });
  });

  it.each(["👩‍💻", "❤️", "🏳️‍🌈", "👍🏽", "1️⃣ #️⃣", "👩🏽‍🚒", "❤️‍🔥", "héllo, 世界 — שלום", "🇨🇭"])("leaves %s", (text) => {
    expect(removeInvisible(text)).toEqual({ text, removed: 0 });
  });

  it("leaves no joiner that joins nothing", () => {
    expect(removeInvisible("a\u200D👩\u200D\u200D💻\uFE0F\uFE0Fx\uFE0F").text).toBe("a👩💻\uFE0Fx");
  });

  it("is idempotent, and every character that it removes is one that is not seen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const once = removeInvisible(text);
        expect(removeInvisible(once.text)).toEqual({ text: once.text, removed: 0 });
        expect(once.text).not.toMatch(
          /[\u200B\u200C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/u,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("defang", () => {
  it.each([
    ["Ask @octocat and @octo-org/team.", "Ask `@octocat` and `@octo-org/team`."],
    ["mail a.b@example.org", "mail `a.b@example.org`"],
    ["Fixes #1, closes octo-org/repo#2, see GH-3", "Fixes `#1`, closes `octo-org/repo#2`, see `GH-3`"],
    ["Closes https://github.com/o/r/issues/4.", "Closes `https://github.com/o/r/issues/4`."],
    ["[text](https://example.org/a)", "text (`https://example.org/a`)"],
    ["[text](javascript:alert)", "text"],
    ["[text][1]\n\n[1]: https://example.org", "text (`https://example.org`)"],
    ["![alt](https://example.org/t.png)", "alt (`https://example.org/t.png`)"],
    ["<https://example.org>", "`https://example.org`"],
    ["www.example.org", "`www.example.org`"],
    ["@[name](https://example.org)", "`@name` (`https://example.org`)"],
    ["&#64;name", "`@name`"],
    ["a ` b @name", "a \\` b `@name`"],
    ["## PASS", "**PASS**"],
    ["/judge", "`/judge`"],
    ["a\n  /gavel judge", "a\n`/gavel` judge"],
    ["- /approve", "- `/approve`"],
    ["- [x] done", "- ☑ done"],
    ["`@name` stays", "`@name` stays"],
    ["```js\nconst a = '@name';\n```", "```js\nconst a = '@name';\n```"],
    ["```suggestion\nrm\n```", "```text\nrm\n```"],
    ["plain *text* with `code`", "plain *text* with `code`"],
    ["", ""],
  ])("%j", (text, written) => {
    expect(defang(text)).toBe(written);
  });

  it.each([
    "<details><summary>x</summary>\n\n**hi**\n\n</details>",
    "<!-- gavel:verdict 01ABC -->",
    "a <b onclick=x>b</b>",
    "<img src=x>",
  ])("shows HTML instead of making it: %s", (text) => {
    expect(actingIn(defang(text))).toEqual([]);
    expect(defang(text)).toContain("\\<");
  });

  it("shows text whose parse would hurt as code", () => {
    for (const text of [">".repeat(15_000), "_a*".repeat(5_000), "> ".repeat(9_000) + "@name"]) {
      const written = defang(text);
      expect(actingIn(written)).toEqual([]);
      expect(written.startsWith("```")).toBe(true);
    }
  });

  it("cuts before it makes harmless", () => {
    const written = defang("@name ".repeat(10_000), 1_000);
    expect(written.length).toBeLessThanOrEqual(1_000);
    expect(written).toContain("(cut)");
    expect(actingIn(written)).toEqual([]);
  });

  it("holds nothing that acts, whatever comes in, also a second time", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 40, max: 400 }), (text, charactersMax) => {
        const written = defang(text, charactersMax);
        expect(written.length).toBeLessThanOrEqual(charactersMax);
        expect(actingIn(written)).toEqual([]);
        expect(removeInvisible(written).removed).toBe(0);
        expect(actingIn(defang(written))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("defangLine", () => {
  it.each([
    ["# no heading", "# no heading"],
    ["- @name\n- b", "- `@name` - b"],
    ["a <div>", "a \\<div>"],
    ["/judge this", "`/judge` this"],
    ["uses `a | b`", "uses `a | b`"],
    ["1. first", "1\\. first"],
  ])("%j", (text, written) => {
    expect(defangLine(text).replace(/^\\(?=[#-])/, "")).toBe(written);
  });

  it("is one harmless line, alone and in a list", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = defangLine(text, 300);
        expect(line).not.toContain("\n");
        expect(line.length).toBeLessThanOrEqual(300);
        expect(actingIn(line)).toEqual([]);
        expect(actingIn(`- ${line}`)).toEqual([]);
        expect(actingIn(`x **F1** ${line}`)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("defangPlain", () => {
  it.each([
    ["Fix @octocat's #12 and GH-3", "Fix @ octocat's # 12 and GH 3"],
    ["closes https://github.com/o/r/issues/4", "closes https://github.com/o/r/issues 4"],
    ["a\u202Eb @ home # 1", "ab @ home # 1"],
  ])("%j", (text, written) => {
    expect(defangPlain(text)).toBe(written);
  });
});

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."@|@name|@octo-org/team|#1|#|12|GH-7|Fixes |o/r#3|https://a.example/x|www.a.example|a@b.example|[|]|](|)|![|(https://e.example)|[x][1]|[1]: https://e.example|[^1]|[^1]: note|<|>|<b>|</b>|<!--|-->|<details>|<img src=x>|`|``|```|~~~|```suggestion|*|**|_|~~|\\|&#64;|&#x200B;|&lt;|\n|\n\n|\n    |\t| | |> |- |1. |# |/judge|/|/gavel judge|- [x] |name|===|---|\n|a|:|-|$|$$|\u200B|\u202E|👩‍💻|\u{E0041}|x".split(
          "|",
        ),
        "|",
        "| a | b |\n| - | - |\n| ",
      ),
      fc.string({ unit: "grapheme", maxLength: 4 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

/** Our own reading of what acts on GitHub, by another way than the code's. */
function actingIn(markdown: string): string[] {
  const found: string[] = [];
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  visit(tree, (node: Node) => {
    if (/^(?:link|image|html|definition|heading|footnote)/.test(node.type)) found.push(node.type);
    if (node.type === "code" && /suggestion|mermaid|math/.test((node as { lang?: string }).lang ?? ""))
      found.push("fence");
    if (node.type !== "text") return;
    const { value } = node as unknown as { value: string };
    if (/@[a-z0-9]/i.test(value)) found.push(`mention: ${value}`);
    if (/#\d/.test(value) || /\bgh-\d/i.test(value)) found.push(`reference: ${value}`);
    if (/(?:^|\n)\s*\//.test(value)) found.push(`command: ${value}`);
    if (/https?:\/\/\w/.test(value)) found.push(`address: ${value}`);
  });
  return found;
}
