import type { Finding } from "./finding.ts";
import { counts, isRed, silentGates } from "./gate-weight.ts";
import type { Verification } from "./gate-result.ts";
import type { JudgeResult, Verdict, Word } from "./verdict.ts";

/** A verdict and why it is this one, in words a user may see. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** The stricter of a judge's word and its findings: nobody passes what they themselves call a major fault. */
export function effectiveVerdict(word: Word, findings: readonly Finding[]): Word {
  return word === "PASS" && findings.some((finding) => finding.severity !== "minor") ? "NEEDS_WORK" : word;
}

/** From the strictest on: the first that a required judge gave is the panel's. */
const strictness: readonly Verdict[] = ["BLOCKED", "ERROR", "NEEDS_WORK", "PASS"];

/** The panel's verdict over its required judges. Advisory judges add findings, never a verdict. */
export function panelVerdict(judges: readonly JudgeResult[]): Ruling {
  const required = judges.filter((judge) => judge.required);
  const verdict = strictness.find((verdict) => required.some((judge) => judge.verdict === verdict));
  // Nobody judged: silence is never a pass.
  if (verdict === undefined) return { verdict: "ERROR", reason: "No required judge took part." };
  if (verdict === "PASS") return { verdict, reason: "Every required judge passed it." };
  const reasons = required
    .filter((judge) => judge.verdict === verdict)
    .map((judge) => `${judge.name}: ${judge.reason}`);
  return { verdict, reason: reasons.join(" ") };
}

/** What a PASS has to stand on. */
export interface Proof {
  /** What the gates said about the judged tree, or null where nobody knows. */
  readonly verification: Verification | null;
  readonly requiredGates: readonly string[];
  /** Files of the change that no judge saw. */
  readonly uncovered: readonly string[];
}

/**
 * Lets a PASS stand only on facts; every other verdict stays as it is. The strictest lack decides. Gates that ran
 * nothing allow a PASS, and are shown, unless they are required by name.
 */
export function provePass(ruling: Ruling, proof: Proof): Ruling {
  return ruling.verdict === "PASS" ? (lackOf(proof) ?? ruling) : ruling;
}

function lackOf({ verification, requiredGates, uncovered }: Proof): Ruling | null {
  if (uncovered.length > 0) {
    return { verdict: "BLOCKED", reason: `Not all of the change was judged: ${list(uncovered)}.` };
  }
  if (verification === null) return { verdict: "ERROR", reason: "Nothing is known about the gates." };
  const gates = verification.gates.filter((gate) => counts(gate, requiredGates));
  const broken = gates.filter((gate) => gate.state === "broken").map((gate) => gate.name);
  if (broken.length > 0) return { verdict: "ERROR", reason: `Gates could not run: ${list(broken)}.` };
  const silent = silentGates(verification, requiredGates);
  if (silent.length > 0) return { verdict: "ERROR", reason: `Required gates verified nothing: ${list(silent)}.` };
  const red = gates.filter(isRed).map((gate) => gate.name);
  if (red.length > 0) return { verdict: "NEEDS_WORK", reason: `Gates failed: ${list(red)}.` };
  const breaches = verification.breaches.map((breach) => breach.path);
  if (breaches.length > 0) return { verdict: "NEEDS_WORK", reason: `The change breaks the policy: ${list(breaches)}.` };
  return null;
}

/** Names told in a reason; the rest is counted. */
const namesMax = 5;

function list(names: readonly string[]): string {
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
