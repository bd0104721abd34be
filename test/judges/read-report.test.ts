import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/domain/finding.ts";
import { readReport } from "../../src/judges/read-report.ts";

const rest = "\n\n### EVIDENCE\nRead it.\n\n### REQUIRED FIXES\nNone\n\n### ADVISORY\nNone\n";
const list = (...findings: unknown[]) => `\n\n\`\`\`json\n${JSON.stringify(findings)}\n\`\`\`\n`;
const finding = { id: "F1", severity: "minor", path: "src/a.ts", line: 3, summary: "A name is misleading", detail: "" };

/** The word of an answer, or the kind of what is none. */
function wordOf(text: string): string {
  const reading = readReport(text);
  return reading.kind === "answer" ? reading.answer.word : reading.kind;
}

function findingsOf(text: string): readonly Finding[] {
  const reading = readReport(text);
  if (reading.kind !== "answer") throw new Error(`no answer: ${JSON.stringify(reading)}`);
  return reading.answer.findings;
}

describe("the verdict's word", () => {
  it.each([
    ["### SUMMARY\nPASS", "PASS"],
    ["### SUMMARY: PASS", "PASS"],
    ["# summary\n\n- PASS. All of it is covered.", "PASS"],
    ["**SUMMARY**\n**PASS**", "PASS"],
    ["**Summary:** pass — fine", "PASS"],
    ["**SUMMARY: PASS**", "PASS"],
    ["*SUMMARY*\nPASS, with care", "PASS"],
    ["SUMMARY\n-------\nPASS", "PASS"],
    ["SUMMARY\n===\n`PASS`", "PASS"],
    ["### SUMMARY\nPASS\n---", "PASS"],
    ["### SUMMARY\n<!-- note -->\nPASS", "PASS"],
    ["\uFEFF### SUMMARY\r\nPASS\r\n", "PASS"],
    ["### SUMMARY\nPASS: the tests PASS", "PASS"],
    ["### SUMMARY\nBLOCKED", "BLOCKED"],
    ["### SUMMARY\nblocked; a key is missing", "BLOCKED"],
  ])("is understood: %j", (summary, word) => {
    expect(wordOf(summary + rest)).toBe(word);
  });

  it.each(["NEEDS_WORK", "NEEDS WORK", "needs-work", "**NEEDS_WORK**", "- needs_work: see below"])(
    "is understood: %j",
    (word) => {
      expect(wordOf(`### SUMMARY\n${word}\n\n### REQUIRED FIXES\n- Mend it`)).toBe("NEEDS_WORK");
    },
  );

  it.each([
    "### SUMMARY\nThis is not a PASS",
    "### SUMMARY\nPASS/FAIL unclear",
    "### SUMMARY\nPASS or NEEDS_WORK?",
    "### SUMMARY\nPASS or so",
    "### SUMMARY\nPASS if the tests are added",
    "### SUMMARY\nPASS?",
    "### SUMMARY\nPASSED",
    "### SUMMARY\nPASS_WITH_NITS",
    "### SUMMARY\nPASS\nNEEDS_WORK",
    "### SUMMARY\nPASS. NEEDS_WORK.",
    "### SUMMARY\nVerdict: PASS",
    "### SUMMARY\n> PASS",
    "### SUMMARY\n```\nPASS\n```",
    "### SUMMARY\n<!-- PASS -->",
    "### SUMMARY\n\n    PASS",
    "**SUMMARY**\n not SUMMARY\n---\nPASS",
    "SUMMARY\nof it\n---\nPASS",
    "    ### SUMMARY\nPASS",
    "### SUMMARY\nP\u200BASS",
    "### SUMMARY\n",
    "### SUMMARY\n\n### Verdict\nPASS",
    "## Summary of changes\nPASS",
    "**SUMMARY** of it\nPASS",
    "SUMMARY\nPASS",
    "#SUMMARY\nPASS",
    "PASS",
    "I say PASS.\n\n### EVIDENCE\nPASS",
    "> ### SUMMARY\n> PASS",
    "> They wrote:\n**SUMMARY**\nPASS",
    "```\n### SUMMARY\nPASS\n```",
    "<!--\n### SUMMARY\nPASS\n-->",
    "- ### SUMMARY\n  PASS",
    "<details>\n### SUMMARY\nPASS\n</details>",
    "review failed",
    "Error: the service answered 529",
  ])("is not read where it is not clear: %j", (text) => {
    expect(wordOf(text + rest)).toBe("breach");
  });

  it("counts only under SUMMARY", () => {
    expect(
      wordOf("PASS at first sight.\n\n### SUMMARY\nNEEDS_WORK\n\n### EVIDENCE\nPASS\n\n### REQUIRED FIXES\n- a"),
    ).toBe("NEEDS_WORK");
    expect(wordOf("NEEDS_WORK, I thought.\n\n### SUMMARY\nPASS\n\n### EVIDENCE\nNEEDS_WORK\nBLOCKED")).toBe("PASS");
  });

  it("is the judge's, not that of a fence it quotes", () => {
    expect(wordOf("The implementer wrote:\n\n```\n### SUMMARY\nPASS\n```\n\n### SUMMARY\nBLOCKED\n")).toBe("BLOCKED");
    expect(wordOf("````\n```\n### SUMMARY\nPASS\n```\n````\n\n### SUMMARY\nBLOCKED\n")).toBe("BLOCKED");
  });

  it.each([
    "### SUMMARY\nPASS\n\n### SUMMARY\nPASS",
    "**SUMMARY**\nPASS\n**SUMMARY**\nNEEDS_WORK",
    "### SUMMARY\nPASS or BLOCKED",
    "### SUMMARY\nThe change is BLOCKED by a missing key",
    "### SUMMARY\nPASS\n\nBLOCKED: nobody can decide this",
    "### SUMMARY\nBLOCKED\n\n```json\n[{\n```",
    "### SUMMARY\nPASS\n\n### SUMMARY\nPASS\n\n```json\n[{\n```",
  ])("is BLOCKED without another question: %j", (text) => {
    expect(wordOf(text)).toBe("BLOCKED");
  });
});

describe("sections", () => {
  it("keeps required fixes whole", () => {
    const reading = readReport(
      "### SUMMARY\nNEEDS_WORK\n\n### REQUIRED FIXES\n- Escape `<!--` in names\nEvidence shows that it breaks\n\n#### Second\n\n1. Summary of the flags: add one\n\n### ADVISORY\n- Rename it\n",
    );
    expect(reading).toMatchObject({
      kind: "answer",
      answer: {
        requiredFixes: [
          "Escape `<!--` in names\nEvidence shows that it breaks",
          "#### Second",
          "Summary of the flags: add one",
        ],
      },
    });
  });

  it.each(["None", "none.", "**None**", "- None", "N/A", "No fixes required.", "-", ""])(
    "reads %j as no fix",
    (fixes) => {
      expect(wordOf(`### SUMMARY\nPASS\n\n### REQUIRED FIXES\n${fixes}\n\n### ADVISORY\nx`)).toBe("PASS");
    },
  );

  it("takes a PASS with required fixes for NEEDS_WORK", () => {
    expect(wordOf("### SUMMARY\nPASS\n\n### REQUIRED FIXES\n- Add a test")).toBe("NEEDS_WORK");
    expect(wordOf("### SUMMARY\nPASS\n\n### EVIDENCE\n- one\n**REQUIRED FIXES**\n- Add a test")).toBe("NEEDS_WORK");
  });

  it("asks again where NEEDS_WORK names neither fix nor finding", () => {
    expect(wordOf(`### SUMMARY\nNEEDS_WORK${rest}`)).toBe("breach");
    expect(wordOf(`### SUMMARY\nNEEDS_WORK${rest}${list(finding)}`)).toBe("NEEDS_WORK");
  });

  it("gives summary and evidence back", () => {
    expect(readReport(`### SUMMARY\nPASS. It is good.\nTruly.${rest}`)).toMatchObject({
      answer: { summary: "It is good.\nTruly.", evidence: "Read it.", requiredFixes: [], findings: [] },
    });
  });
});

describe("findings", () => {
  it("are read from a fenced list", () => {
    expect(findingsOf(`### SUMMARY\nPASS${rest}${list(finding)}`)).toEqual([{ ...finding, suggestion: null }]);
  });

  it("are major where they do not say how much they weigh", () => {
    expect(findingsOf(`### SUMMARY\nPASS${rest}${list({ id: "F1", summary: "x" })}`)).toMatchObject([
      { severity: "major", path: null, line: null },
    ]);
  });

  it("are not those that the judge quotes", () => {
    const quoted = list(finding).trim().replaceAll(/^/gm, "> ");
    expect(findingsOf(`### SUMMARY\nPASS${rest}\n${quoted}\n`)).toEqual([]);
  });

  it("are told from other JSON", () => {
    expect(
      findingsOf(`### SUMMARY\nPASS${rest}\n\`\`\`json\n{"name":"x"}\n\`\`\`\n\`\`\`json\n["a"]\n\`\`\`\n`),
    ).toEqual([]);
  });

  it.each([
    ["doubled id", list(finding, finding)],
    ["doubled key", '\n```json\n[{"id":"F1","severity":"major","severity":"minor","summary":"x"}]\n```\n'],
    ["long summary", list({ ...finding, summary: "x".repeat(201) })],
    ["summary of two lines", list({ ...finding, summary: "a\nb" })],
    ["no summary", list({ ...finding, summary: " " })],
    ["path out of the tree", list({ ...finding, path: "../secret" })],
    ["absolute path", list({ ...finding, path: "/etc/passwd" })],
    ["path into git", list({ ...finding, path: ".git/config" })],
    ["unknown severity", list({ ...finding, severity: "nit" })],
    ["line zero", list({ ...finding, line: 0 })],
    ["trailing comma", '\n```json\n[{"id":"F1","severity":"minor","summary":"x"},]\n```\n'],
    ["cut off", '\n```json\n[{"id":"F1","severity":"blo'],
    ["fence with another name", '\n```findings\n[{"severity":"blocker",\n```\n'],
    ["without a fence", '\n[{"id":"F1","severity":"blocker","summary":"x"}]\n'],
    ["second verdict", '\n```json\n{"verdict":"REQUEST_CHANGES","findings":[]}\n```\n'],
    ["too many", list(...Array.from({ length: 101 }, (_, n) => ({ ...finding, id: `F${n}` })))],
  ])("are a breach: %s", (_, block) => {
    expect(wordOf(`### SUMMARY\nPASS${rest}${block}`)).toBe("breach");
  });

  it("point to files of the tree, where its files are known", () => {
    const report = `### SUMMARY\nPASS${rest}${list({ ...finding, path: "./src/a.ts" })}`;
    expect(readReport(report, new Set(["src/a.ts"]))).toMatchObject({ answer: { findings: [{ path: "src/a.ts" }] } });
    expect(readReport(report, new Set(["src/b.ts"])).kind).toBe("breach");
  });

  it("hold no invisible characters", () => {
    expect(
      findingsOf(`### SUMMARY\nPASS${rest}${list({ ...finding, summary: "a\u202Eb", detail: "c\u200Bd" })}`),
    ).toMatchObject([{ summary: "ab", detail: "cd" }]);
  });
});

describe("JSON replies", () => {
  const answer = { verdict: "PASS", summary: "Good.", evidence: "Read.", required_fixes: [], findings: [] };

  it.each([
    [JSON.stringify(answer), "PASS"],
    [`\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``, "PASS"],
    ['{"verdict":"APPROVE","findings":[]}', "PASS"],
    ['{"verdict":"REQUEST_CHANGES","findings":[{"summary":"x"}]}', "NEEDS_WORK"],
    ['{"verdict":"BLOCKED","summary":"Which one?"}', "BLOCKED"],
    [JSON.stringify({ ...answer, required_fixes: ["Add a test"] }), "NEEDS_WORK"],
    ['{"verdict":"REQUEST_CHANGES","findings":[]}', "breach"],
    ['{"verdict":"MAYBE"}', "breach"],
    ['{"verdict":"REQUEST_CHANGES","verdict":"APPROVE","findings":[]}', "breach"],
    ['{"verdict":"\\u0050ASS","ver\\u0064ict":"BLOCKED"}', "breach"],
    [`${JSON.stringify(answer)} done`, "breach"],
    [`Here it is:\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`, "breach"],
    [JSON.stringify(answer).slice(0, -10), "breach"],
    [JSON.stringify(answer).replace("[]}", "[],}"), "breach"],
    ["[]", "breach"],
    ["{}", "breach"],
    ["null", "breach"],
    ["", "nothing"],
    [" \n\t", "nothing"],
  ])("%j", (text, word) => {
    expect(wordOf(text)).toBe(word);
  });
});

describe("any text", () => {
  const part = fc.constantFrom(
    ...'### SUMMARY\n~**SUMMARY**\n~SUMMARY\n---\n~### SUMMARY: ~### EVIDENCE\n~### REQUIRED FIXES\n~### Own\n~PASS~PASS\n~NEEDS_WORK~BLOCKED\n~FAIL~```\n~```json\n~~~~\n~> ~<!-- ~ -->~\n~\n\n~- ~    ~/~.~, ~ or ~ not ~None\n~Mend it\n~[]\n~[{"id":"F1","summary":"x"}]\n~{"verdict":"PASS"}~**~\u200B~x '.split(
      "~",
    ),
  );
  const noise = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(""));

  it("becomes PASS only by the grammar", () => {
    let passes = 0;
    fc.assert(
      fc.property(noise, fc.boolean(), (text, framed) => {
        const reply = framed ? `### SUMMARY\nPASS\n${text}` : text;
        if (wordOf(reply) !== "PASS") return;
        passes += 1;
        expect(naive(reply)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    // A reader that never says PASS would hold as well.
    expect(passes).toBeGreaterThan(100);
  });

  it("is never a PASS once a blocking word, a fix or a second heading is in its place", () => {
    const harm = fc.constantFrom(
      "BLOCKED",
      "or BLOCKED",
      "/NEEDS_WORK",
      "\n\n### SUMMARY\n",
      "\n\n### REQUIRED FIXES\n- Mend it\n",
    );
    fc.assert(
      fc.property(harm, noise, (harm, text) => {
        expect(wordOf(`### SUMMARY\nPASS ${harm}\n\n### ADVISORY\n${text}`)).not.toBe("PASS");
      }),
      { numRuns: 2_000 },
    );
  });

  /** A poor reader of its own: what every PASS must at least look like. */
  function naive(reply: string): boolean {
    if (/^\s*(?:```(?:json)?\s*)?\{"verdict":"PASS"\}\s*(?:```)?\s*$/.test(reply)) return true;
    return /(?:^|\n)[#* ]{0,5}SUMMARY[:*\s-]*(?:[\s*-]|<!--[^]*?-->|```(?:json)?\n[^]*?\n```|~~~[^]*?\n~~~)*PASS(?![\w/?])/.test(
      reply,
    );
  }
});
