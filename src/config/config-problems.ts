import type { Problem } from "../domain/event.ts";
import type { ConfigProblem } from "./config-problem.ts";

/** One line for the terminal, in the form that editors and CI link: `file:line:column path reason (did you mean …?)`. */
export function writeProblem(problem: ConfigProblem): string {
  return `${problem.source}:${problem.line}:${problem.column} ${sentence(problem)}`;
}

/** All problems for the terminal, one a line. */
export function writeProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(writeProblem).join("\n");
}

/** The same for the preflight's report on GitHub, where each problem stands with its cure. */
export function asProblems(problems: readonly ConfigProblem[]): readonly Problem[] {
  return problems.map((problem) => ({
    code: "config-invalid",
    message: `${problem.source}, line ${problem.line}: ${sentence({ ...problem, nearest: null })}.`,
    cure:
      problem.nearest === null
        ? "Correct it on the default branch and ask again."
        : `Did you mean \`${problem.nearest}\`? Correct it on the default branch and ask again.`,
  }));
}

function sentence({ path, reason, nearest }: ConfigProblem): string {
  const subject = path === "" ? "the file" : path;
  return `${subject} ${reason}${nearest === null ? "" : `; did you mean ${nearest}?`}`;
}
