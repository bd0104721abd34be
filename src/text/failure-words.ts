import type { Outcome } from "../domain/outcome.ts";
import type { ChainView } from "./chain-view.ts";
import { code } from "./sections.ts";

/** Which stage failed and what a person should do next. Derived from the record alone. */
export interface NextForPerson {
  readonly stage: string;
  readonly todo: string;
}

export function nextForPerson(view: ChainView, outcome: Outcome): NextForPerson {
  const gates = view.verification?.verification.gates ?? [];
  const failing = gates
    .filter((gate) => gate.state === "failed" || gate.state === "broken")
    .map((gate) => code(gate.name));
  switch (outcome) {
    case "passed":
      return { stage: "none", todo: "Review it and merge it." };
    case "needs-work":
      return {
        stage: "the judge still asks for fixes after the last run that a chain has",
        todo: "Make the required fixes below on this branch, or decide that they are not needed, then mark the pull request as ready.",
      };
    case "blocked":
      return {
        stage: "the judge says that a person has to decide",
        todo: "Read the judge's question below, answer it on the issue, and ask again with `/implement <your answer>`.",
      };
    case "red":
      return {
        stage: failing.length === 0 ? "the policy gate is red" : `${failing.join(", ")} did not pass`,
        todo: "Look at the last lines below, mend it on this branch, or say on the issue how it should be done and ask again with `/implement <how>`.",
      };
    case "failed":
      return {
        stage: "Gavel's own work was cut off",
        todo: "Read the reason given here; once it is out of the way, ask again with `/implement`.",
      };
    case "question":
      return { stage: "the implementer has a question", todo: "Answer with `/implement <your answer>`." };
    case "no-change":
      return {
        stage: "the implementer changed nothing",
        todo: "If something should change, say more exactly what, and ask again with `/implement <what>`.",
      };
    case "cancelled":
      return { stage: "it was stopped", todo: "Put the label on again, or comment `/implement`, to start anew." };
    case "stale":
      return { stage: "the head moved", todo: "Ask again for the newest head with `/judge`." };
  }
}
