import { describe, expect, it } from "vitest";
import { type Played, play } from "../../demo/play.ts";
import type { Result } from "../../demo/result.ts";
import { scenarios } from "../../demo/scenarios/table.ts";
import { hasSandbox } from "../needs-sandbox.ts";

/** What each scenario gives, exactly: nothing more becomes visible, and nothing twice. */
interface Expected extends Pick<Result, "outcome" | "runs" | "turns" | "verdicts"> {
  readonly pullRequest: { readonly draft: boolean; readonly commits: number } | null;
  readonly checks: readonly (string | null)[];
  /** Kinds of our comments on the issue (#1) and on the pull request (#2). */
  readonly comments: readonly string[];
}

const revised: Expected = {
  outcome: "passed",
  runs: 2,
  turns: 2,
  verdicts: ["NEEDS_WORK", "PASS"],
  pullRequest: { draft: false, commits: 2 },
  checks: ["success"],
  comments: ["#1 progress", "#2 verdict"],
};

const expected: Readonly<Record<string, Expected>> = {
  pass: { ...revised, runs: 1, turns: 1, verdicts: ["PASS"], pullRequest: { draft: false, commits: 1 } },
  revise: revised,
  crash: revised,
  "needs-work": {
    ...revised,
    outcome: "needs-work",
    verdicts: ["NEEDS_WORK", "NEEDS_WORK"],
    pullRequest: { draft: true, commits: 2 },
    checks: ["failure"],
  },
  red: {
    ...revised,
    outcome: "red",
    turns: 4,
    verdicts: [],
    pullRequest: { draft: true, commits: 2 },
    checks: ["failure"],
    comments: ["#1 progress", "#1 blocker"],
  },
  blocked: {
    ...revised,
    outcome: "blocked",
    runs: 1,
    turns: 1,
    verdicts: ["BLOCKED"],
    pullRequest: { draft: true, commits: 1 },
    checks: ["failure"],
    comments: ["#1 progress", "#1 blocker", "#2 verdict"],
  },
  "no-change": {
    ...revised,
    outcome: "no-change",
    runs: 1,
    turns: 1,
    verdicts: [],
    pullRequest: null,
    checks: [],
    comments: ["#1 progress", "#1 report"],
  },
  question: {
    ...revised,
    outcome: "question",
    runs: 1,
    turns: 1,
    verdicts: [],
    pullRequest: null,
    checks: [],
    comments: ["#1 progress", "#1 report"],
  },
};

const minuteMilliseconds = 60_000;

describe("the demo's scenarios", () => {
  it("has an expectation for each", () => {
    expect(Object.keys(expected).toSorted()).toEqual(Object.keys(scenarios).toSorted());
  });

  it.skipIf(!hasSandbox).each(Object.keys(scenarios))(
    "%s ends as it should",
    { timeout: 3 * minuteMilliseconds },
    async (name) => {
      const scenario = scenarios[name];
      if (scenario === undefined) throw new Error(name);
      const played = await play({ name, scenario, liveKey: null, quiet: true });
      try {
        const { result } = played;
        expect(seen(result)).toEqual(expected[name]);
        check(name, played);
      } finally {
        await played.close();
      }
    },
  );
});

function seen(result: Result): Expected {
  const { outcome, runs, turns, verdicts, pullRequest } = result;
  return {
    outcome,
    runs,
    turns,
    verdicts,
    pullRequest: pullRequest === null ? null : { draft: pullRequest.draft, commits: pullRequest.commits.length },
    checks: result.checkRuns.map((run) => run.conclusion),
    comments: result.comments.map((comment) => `#${comment.on} ${comment.kind}`),
  };
}

/** What a person reads. */
function check(name: string, { result, comments }: Played): void {
  const body = result.pullRequest?.body ?? "";
  if (result.pullRequest?.draft === true) {
    expect(result.pullRequest.title).toMatch(/^\[WIP\] /);
    expect(body).toMatch(/^> \[!WARNING\]/);
  }
  if (name === "red") {
    expect(body).toContain("Last lines of `test`");
    expect(body).toContain("'' !== '0s'");
    expect(body).toContain("NOT_RUN");
  }
  if (name === "question") expect(comments.at(-1)?.body).toContain("- none of these");
  for (const commit of result.pullRequest?.commits ?? []) {
    expect(commit).toMatch(/^Gavel-Chain: /m);
    expect(commit).toMatch(/^Gavel-Run: [12]$/m);
    expect(commit).toMatch(/^Co-authored-by: maintainer /m);
  }
  expect(result.usage.calls).toBeGreaterThan(0);
}
