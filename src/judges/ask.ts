import type { JudgeRule } from "../config/rules.ts";
import { effectiveVerdict } from "../domain/panel.ts";
import type { JudgeResult, Word } from "../domain/verdict.ts";
import type { ModelAccess } from "../gateway/access.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import type { TreePaths } from "./answer-schema.ts";
import { callModel, type ModelReply } from "./call-model.ts";
import type { Packet } from "./packet.ts";
import { readReport } from "./read-report.ts";
import type { Answer, ReportReading } from "./reading.ts";

const backOffSecondsDefault = 2;
const complaintCharactersMax = 500;

export interface JudgeQuestion {
  readonly rule: JudgeRule;
  readonly packet: Packet;
  readonly access: ModelAccess;
  /** Ends the judging; the result is then an ERROR that says so. */
  readonly signal: AbortSignal;
  /** All paths of the judged tree, to tell findings about files that are not there; null where they are not known. */
  readonly paths: TreePaths;
  /** Before a call that failed is tried again; doubled for the third try. */
  readonly backOffSeconds?: number;
}

/**
 * Asks one judge and fails closed: a reply in breach of the form is complained about once, then BLOCKED; no reply, a
 * refusal, a time limit, a dead transport are ERROR. Never rejects. Calls are made one after the other, in an order
 * that depends on the replies alone.
 */
export async function askJudge(question: JudgeQuestion): Promise<JudgeResult> {
  const { rule, packet, access, paths } = question;
  const started = performance.now();
  const timeout = AbortSignal.timeout(Math.ceil(rule.timeoutMinutes * 60_000));
  let calls = 0;
  const ask = (prompt: string): Promise<ModelReply> =>
    callModel({
      access,
      instructions: loadPrompt("judge-system", {}),
      prompt,
      signal: AbortSignal.any([question.signal, timeout]),
      backOffSeconds: question.backOffSeconds ?? backOffSecondsDefault,
      onCall: () => (calls += 1),
    });
  const finish = (outcome: Pick<JudgeResult, "verdict" | "reason"> & Partial<Answer>): JudgeResult => ({
    name: rule.name,
    required: rule.required,
    model: access.model,
    verdict: outcome.verdict,
    reason: outcome.reason,
    summary: outcome.summary ?? "",
    evidence: outcome.evidence ?? "",
    requiredFixes: outcome.requiredFixes ?? [],
    findings: outcome.findings ?? [],
    calls,
    seconds: (performance.now() - started) / 1_000,
  });
  const fail = (reason: string): JudgeResult => {
    if (question.signal.aborted) return finish({ verdict: "ERROR", reason: "The judging was cancelled." });
    if (timeout.aborted) {
      return finish({ verdict: "ERROR", reason: `The judge gave no answer within ${rule.timeoutMinutes} minutes.` });
    }
    return finish({ verdict: "ERROR", reason });
  };

  try {
    let prompt = loadPrompt("judge", { PACKET: packet.text });
    let reading: ReportReading = { kind: "nothing" };
    for (const again of [false, true]) {
      const reply = await ask(prompt);
      if (reply.kind === "refused") return fail("The model refused to judge this change.");
      if (reply.kind === "failed") return fail(`The model could not be asked: ${reply.reason}.`);
      reading = readReport(reply.text, paths);
      if (reading.kind === "answer") {
        const { answer } = reading;
        const verdict = effectiveVerdict(answer.word, answer.findings);
        return finish({ ...answer, verdict, reason: reasonOf(answer, verdict) });
      }
      if (!again) prompt = loadPrompt("judge-again", { PACKET: packet.text, COMPLAINT: complaintOf(reading) });
    }
    return reading.kind === "breach"
      ? finish({
          verdict: "BLOCKED",
          reason: `The judge's answer is not clear, also when asked again. ${reading.complaint}`,
        })
      : fail("The judge gave no answer, also when asked again.");
  } catch (error) {
    return fail(`The judge could not be asked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function reasonOf(answer: Answer, verdict: Word): string {
  if (answer.reason !== "") return answer.reason;
  if (answer.word !== verdict) return "The judge said PASS and named a blocker or major finding; the stricter counts.";
  switch (verdict) {
    case "PASS":
      return "The judge passed it.";
    case "NEEDS_WORK":
      return `The judge asks for changes: ${count(answer.requiredFixes.length, "required fix", "required fixes")}, ${count(answer.findings.length, "finding", "findings")}.`;
    case "BLOCKED":
      return "The judge holds that a person has to decide.";
  }
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** One line, as parts of it may quote the judge's own reply. */
function complaintOf(reading: ReportReading): string {
  const complaint = reading.kind === "breach" ? reading.complaint : "There was no answer at all.";
  return complaint.replaceAll(/\s+/g, " ").slice(0, complaintCharactersMax);
}
