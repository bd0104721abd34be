import { assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { findCommand, mayHoldCommand } from "../../src/commands/parse-commands.ts";

test.each([
  ["/judge", "judge", ""],
  ["/JUDGE the locking  ", "judge", "the locking"],
  ["/gavel judge", "judge", ""],
  ["Thanks.\n/implement now\nand here\n\n- too\n", "implement", "now\nand here\n\n- too"],
  ["Thanks.\r\n/implement now\r\nand here", "implement", "now\nand here"],
  ["  /status", "status", ""],
  ["/nothing\n/status\n/help", "status", "/help"],
  ["<!-- a note -->\n\n/cancel", "cancel", ""],
  ["<details>\n\nfolded\n\n</details>\n\n/cancel", "cancel", ""],
  ["Use `Array<K>` or Array<K>\n\n/cancel", "cancel", ""],
  ["| a |\n|---|\n| b |\n\n/cancel", "cancel", ""],
  ["a *b\n/judge\nc*", "judge", "c*"],
])("%j holds /%s with %j", (markdown, name, rest) => {
  expect(findCommand(markdown, "optional")).toEqual({ name, rest });
});

test.each([
  [""],
  ["please /judge"],
  ["/judged"],
  ["/judge/this"],
  ["> /judge"],
  ["> quoted\n/judge"],
  ["> > /judge"],
  ["- /judge"],
  ["- item\n\n  /judge"],
  ["1. /judge"],
  ["- [ ] /judge"],
  ["`/judge`"],
  ["`code\n/judge\n`"],
  ["``` \n/judge\n```"],
  ["~~~\n/judge"],
  ["```\n```x\n/judge\n```"],
  ["    /judge"],
  ["\t/judge"],
  ["<!-- \n/judge\n-->"],
  ["<!--\n\n/judge\n\n-->"],
  ["text <!--\n/judge\n-->"],
  ["<!--\n/judge"],
  ["<div>\n/judge\n</div>"],
  ["<pre>\n\n/judge\n\n</pre>"],
  ["<blockquote>\n\n/judge\n\n</blockquote>"],
  ["<details><summary>x</summary>\n\n/judge\n\n</details>"],
  ["a <code>\n/judge\n</code>"],
  ["# /judge"],
  ["/judge\n==="],
  ["/judge | x\n--- | ---\n/judge | y"],
  ["[^1]: x\n    /judge"],
  ["[a]: /judge"],
  ["\\/judge"],
  ["&#47;judge"],
  ["**/judge**"],
  ["／judge"],
  ["\u200b/judge"],
])("%j holds no command", (markdown) => {
  expect(findCommand(markdown, "optional")).toBeNull();
});

test("with the long form required, only that is understood", () => {
  expect(findCommand("/judge\n/gavel judge x", "required")).toEqual({ name: "judge", rest: "x" });
  expect(findCommand("/judge", "required")).toBeNull();
});

test("instructions are bounded and stay whole characters", () => {
  expect(findCommand(`/implement ${"a".repeat(9_999)}😀b`, "optional")?.rest).toBe(`${"a".repeat(9_999)}\ufffd`);
});

test("the door's cheap look sees what may be one, and a comment without one", () => {
  expect(mayHoldCommand("```\n/judge x\n```")).toEqual({ name: "judge", rest: "x" });
  expect(mayHoldCommand("see /judge, or \n/judged\n> /judge")).toBeNull();
});

test.each([
  ["lists in lists", `${`${"- ".repeat(39)}a\n`.repeat(800)}\n/judge`],
  ["comments that never end", `x ${"<!-- ".repeat(13_000)}\n/judge`],
  ["quotes", `${">".repeat(60_000)}\n\n/judge`],
])("text that is made slow to read holds none: %s", (_what, markdown) => {
  expect(findCommand(markdown, "optional")).toBeNull();
});

const words = string({ maxLength: 20 }).map((text) => text.replaceAll(/[`~<>\r\n/]/g, ""));
const command = constantFrom("/judge", "/implement all of it", "/gavel cancel", "/STATUS");

test("a command in a fence, a quote or a code span never fires", () => {
  assert(
    property(words, command, words, constantFrom("```", "~~~~", "`", ">"), (before, said, after, mark) => {
      const inner = `${before}\n${said}\n${after}`;
      const markdown =
        mark === ">"
          ? `${inner.replaceAll(/^/gm, "> ")}\n`
          : mark === "`"
            ? `x \`${inner.replaceAll(/\n\s*\n/g, "\n").trim()}\``
            : `${mark}\n${inner}\n${mark}\n`;
      // A span ends with its paragraph: only text without a block of its own inside is one.
      if (
        mark === "`" &&
        /^\s*(?:[-+*#|=]|\d+[.)]|$)/m.test(
          `${before.trim() === "" ? "x" : before}\n${after.trim() === "" ? "x" : after}`,
        )
      )
        return;
      expect(findCommand(markdown, "optional")).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});
