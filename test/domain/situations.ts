import { outcomes } from "../../src/domain/outcome.ts";
import { contradictions, runEnds, type At, type Situation } from "../../src/domain/situation.ts";
import { verdicts } from "../../src/domain/verdict.ts";

/** Every place a chain can be at. */
export const places: readonly At[] = [
  { kind: "start" },
  { kind: "announced" },
  { kind: "preflighted", result: "ok" },
  { kind: "preflighted", result: "problems" },
  { kind: "prepared" },
  { kind: "wrote" },
  { kind: "fixable" },
  ...runEnds.map((end): At => ({ kind: "run-ended", end })),
  { kind: "head-verified" },
  ...verdicts.map((verdict): At => ({ kind: "judged", verdict })),
  ...outcomes.flatMap((outcome) =>
    (["done", "refused", "head-moved"] as const).map((result): At => ({ kind: "published", result, outcome })),
  ),
  ...(["work", "announce", "publish"] as const).map((step): At => ({ kind: "step-failed", step })),
  { kind: "close-failed" },
  ...outcomes.map((outcome): At => ({ kind: "closed", outcome })),
];

/** The whole product of a situation's fields: every value that the types can hold, the impossible ones too. */
export function* allSituations(): Generator<Situation> {
  for (const at of places)
    for (const chain of ["implement", "judge"] as const)
      for (const contradiction of [null, ...contradictions])
        for (const stopRequested of [false, true])
          for (const approval of ["not-needed", "missing", "granted", "refused"] as const)
            for (const budget of ["left", "spent"] as const)
              for (const runs of [0, 1, 2] as const)
                for (const mayRevise of [false, true])
                  for (const draft of ["possible", "impossible"] as const)
                    for (const lastVerdict of [null, ...verdicts])
                      yield {
                        at,
                        chain,
                        contradiction,
                        stopRequested,
                        approval,
                        budget,
                        runs,
                        mayRevise,
                        draft,
                        lastVerdict,
                      };
}

/** A situation in which nothing but `at` decides. */
export function situation(changes: Partial<Situation> & Pick<Situation, "at">): Situation {
  return {
    chain: "implement",
    contradiction: null,
    stopRequested: false,
    approval: "not-needed",
    budget: "left",
    runs: 1,
    mayRevise: true,
    draft: "possible",
    lastVerdict: null,
    ...changes,
  };
}
