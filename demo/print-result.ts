import colors from "picocolors";
import { duration, usageWords } from "../src/text/words.ts";
import type { Played } from "./play.ts";

/** Prints what came of it, as a person would see it on GitHub. */
export function printResult({ result, pullRequestText, comments, url }: Played): void {
  const rule = colors.dim("─".repeat(72));
  console.log(`\n${rule}`);
  if (result.pullRequest !== null) {
    const { number, draft, title, commits } = result.pullRequest;
    console.log(colors.bold(`${draft ? "Draft pull request" : "Pull request"} #${number}: ${title}`));
    console.log(
      colors.dim(
        `${commits.length} commit${commits.length === 1 ? "" : "s"}, check: ${result.checkRuns.map((run) => run.conclusion).join(", ") || "none"}`,
      ),
    );
    console.log(`\n${pullRequestText ?? ""}`);
  } else {
    console.log(colors.bold("No pull request. The comments on the issue:"));
    for (const comment of comments) console.log(`\n${colors.cyan(comment.author)}\n${comment.body}`);
  }
  console.log(rule);
  console.log(
    `${colors.bold(`outcome: ${result.outcome}`)} · ${result.runs} run${result.runs === 1 ? "" : "s"} · verdicts: ${result.verdicts.join(", ") || "none"} · ${usageWords(result.usage)} · ${result.apiCalls} API calls · ${duration(result.seconds)}`,
  );
  console.log(`Look at it: ${url} ${colors.dim("(with --open the local GitHub stays up)")}`);
}
