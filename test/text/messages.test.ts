import { describe, expect, it } from "vitest";
import type { ChainEvent } from "../../src/domain/event.ts";
import { type Outcome, outcomes } from "../../src/domain/outcome.ts";
import { publishableTree } from "../../src/domain/publishable-tree.ts";
import { blockerComment } from "../../src/text/blocker-comment.ts";
import { checkOutput } from "../../src/text/check-output.ts";
import { progressComment } from "../../src/text/progress-comment.ts";
import { pullRequestBody } from "../../src/text/pull-request-body.ts";
import { reportComment } from "../../src/text/report-comment.ts";
import { verdictComment } from "../../src/text/verdict-comment.ts";
import { gate, judged, prepared, turn, verified, view } from "./views.ts";

const diff = {
  baseTree: "base",
  headTree: "t1",
  added: 3,
  removed: 1,
  files: [
    {
      path: "src/a|b.ts",
      oldPath: null,
      status: "modified" as const,
      oldMode: "100644",
      newMode: "100644",
      blob: "b",
      binary: false,
      added: 3,
      removed: 1,
      hunks: "@@ -1 +1,3 @@",
    },
  ],
};

const finding = {
  id: "F1",
  severity: "major" as const,
  path: "src/a.ts",
  line: 3,
  summary: "Ping @octo-org/team and close #1",
  detail: "See ![x](https://example.invalid/x.png) and /implement again",
  suggestion: null,
};

const green = [prepared, turn(), verified([gate()])];
const passed = [...green, judged("PASS")];
const red = [
  prepared,
  turn(),
  verified([gate({ state: "failed", exitCode: 1, reason: "exit code 1", output: "expected 0s" })]),
];

function body(events: readonly ChainEvent[], form: "ready" | "draft", outcome: Outcome): string {
  const source = publishableTree(events);
  if (source === null) throw new Error("nothing to publish");
  return pullRequestBody(view(events, { outcome }), { form, source, diff, closeIssue: true, verified: true });
}

describe("the progress comment", () => {
  it("shows a stage for each thing that happened and what is being done", () => {
    const text = progressComment(view(green));
    expect(text).toContain("| ✅ | Run 1, write: changed the tree | 12 s |");
    expect(text).toContain("✅ `test`");
    expect(text).toContain("| ⏳ | Gates |");
    expect(text).toContain("3 model calls · 1,234 tokens · $0.0123");
  });

  it("says how many are ahead while it waits", () => {
    const decision = { step: { kind: "prepare" } as const, reason: "in order" };
    const text = progressComment(view([], { decision, ahead: { inRepository: 1, inAll: 4 } }));
    expect(text).toContain("1 chain ahead in this repository, 4 in all");
  });

  it.each(outcomes)("ends with a headline for %s and asks for nothing more", (outcome) => {
    const text = progressComment(view(passed, { outcome }));
    expect(text.split("\n")[0]).toMatch(/^### \S/);
    expect(text).not.toContain("/cancel");
  });

  it("says unknown money is unknown", () => {
    const text = progressComment(view([turn({ usage: { ...turn().usage, usd: null } })]));
    expect(text).toContain("cost unknown");
  });

  it("says so where no sandbox or no model was there", () => {
    const { circumstances } = view([]);
    const text = progressComment(
      view([], { circumstances: { ...circumstances, isolation: "none", recordedModel: true } }),
    );
    expect(text).toContain("without a sandbox");
    expect(text).toContain("recorded");
  });
});

describe("the pull request's body", () => {
  it("tells what was measured, and closes the issue", () => {
    const text = body(passed, "ready", "passed");
    for (const heading of ["## Summary", "## Changes", "## How it was checked", "## Context"])
      expect(text).toContain(heading);
    expect(text).toContain("Closes #7");
    expect(text).toContain("1 of 1 gate passed; the judges say **PASS**");
    expect(text).toContain("`src/a\\|b.ts`");
    expect(text).not.toContain("[!WARNING]");
  });

  it("begins a draft with what failed, why, and what to do", () => {
    const text = body(red, "draft", "red");
    expect(text.startsWith("> [!WARNING]\n> **Not ready: `test` did not pass.**")).toBe(true);
    expect(text).toContain("**What to do next:**");
    expect(text).toContain("expected 0s");
    expect(text).toContain("Judge: **NOT_RUN**");
  });

  it("shows nothing of an earlier round as current", () => {
    const events = [
      ...green,
      judged("NEEDS_WORK", { requiredFixes: ["Add tests"] }),
      turn({ run: 2, purpose: "revise", startTree: "t1", runStartTree: "t1", tree: "t2" }),
      verified([gate({ state: "failed", exitCode: 1 })], "t2", 2),
    ];
    const text = body(events, "draft", "red");
    expect(text).toContain("**NOT_RUN**");
    expect(text).not.toContain("Add tests");
    expect(text).not.toContain("NEEDS_WORK");
  });

  it("never says that nothing was verified when no gate ran, but that it is unverified", () => {
    expect(body([prepared, turn(), verified([]), judged("PASS")], "ready", "passed")).toContain(
      "nothing is **verified**",
    );
  });

  it("quotes the brief as text: nothing in it is alive", () => {
    const text = body(passed, "ready", "passed");
    const quoted = text.slice(text.indexOf("<summary>Brief</summary>"));
    expect(quoted).toContain("````text\nSay hours");
  });
});

describe("the verdict comment", () => {
  const place = { headSha: "c1" };

  it("shows the last round and folds the earlier one", () => {
    const events = [
      ...green,
      judged("NEEDS_WORK", { requiredFixes: ["Add tests"], findings: [finding] }),
      turn({ run: 2, purpose: "revise", startTree: "t1", runStartTree: "t1", tree: "t2" }),
      verified([gate()], "t2", 2),
      judged("PASS", {}, { tree: "t2", run: 2 }),
    ];
    const text = verdictComment(view(events), place);
    expect(text.startsWith("## ✅ PASS")).toBe(true);
    expect(text.indexOf("<summary>Round 1: NEEDS_WORK</summary>")).toBeGreaterThan(
      text.indexOf("### What was checked"),
    );
    expect(text.slice(0, text.indexOf("<details>"))).not.toContain("Add tests");
  });

  it("makes a model's words harmless", () => {
    const text = verdictComment(view([...green, judged("NEEDS_WORK", { findings: [finding] })]), place);
    expect(text).not.toMatch(/(?<!`)@octo-org/);
    expect(text).not.toContain("![");
    expect(text).not.toMatch(/^\/implement/m);
    expect(text).toContain("https://github.com/octo-org/clock-words/blob/c1/src/a.ts#L3");
  });

  it("says NOT_RUN where the tree at hand was not judged", () => {
    expect(verdictComment(view(red), place).startsWith("## ⚪ NOT_RUN")).toBe(true);
  });
});

describe("check, report and blocker", () => {
  it("annotates only lines of files that the change has", () => {
    const at = (path: string) => judged("NEEDS_WORK", { findings: [{ ...finding, path }] });
    expect(checkOutput(view([...green, at("src/a|b.ts")], { outcome: "needs-work" }), diff).annotations).toHaveLength(
      1,
    );
    expect(checkOutput(view([...green, at("src/other.ts")], { outcome: "needs-work" }), diff).annotations).toHaveLength(
      0,
    );
    expect(checkOutput(view(red, { outcome: "red" }), diff).title).toBe("NOT_RUN: checks are red");
  });

  it("marks a PASS without any passed gate as unverified", () => {
    const events = [prepared, turn(), verified([]), judged("PASS")];
    expect(checkOutput(view(events, { outcome: "passed" }), diff).title).toBe("PASS, unverified");
  });

  it("asks the question with its readings and none of these", () => {
    const artifact = {
      kind: "given" as const,
      artifact: {
        summary: "",
        filesChanged: [],
        testsRun: [],
        expectedBehavior: "",
        edgeCases: [],
        risks: [],
        contested: [],
        question: { question: "From when on?", readings: ["24 hours", "whole days"] },
      },
    };
    const text = reportComment(view([prepared, turn({ tree: "base", netChange: false, artifact })]), "question");
    expect(text).toContain("From when on?\n\n- 24 hours\n- whole days\n- none of these");
  });

  it("names all problems of a preflight with their cures", () => {
    const problems = [
      { code: "a", message: "First.", cure: "Do one." },
      { code: "b", message: "Second.", cure: "Do two." },
    ];
    const preflight = {
      kind: "preflighted" as const,
      problems,
      baseBranch: "main",
      baseCommit: "",
      headCommit: null,
      rules: "r",
    };
    const text = reportComment(view([preflight]), "failed");
    for (const { message, cure } of problems) expect(text).toContain(`${message} ${cure}`);
  });

  it("hands the red gates over in the blocker", () => {
    const text = blockerComment(view(red, { outcome: "red" }), { number: 12 });
    expect(text).toContain("#12");
    expect(text).toContain("expected 0s");
    expect(text).toContain("**What to do:**");
  });
});
