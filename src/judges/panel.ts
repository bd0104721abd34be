import picomatch from "picomatch";
import type { JudgeRule } from "../config/rules.ts";
import type { Verification } from "../domain/gate-result.ts";
import { panelVerdict, provePass } from "../domain/panel.ts";
import type { Binding, JudgeResult, Round } from "../domain/verdict.ts";
import type { ModelAccess } from "../gateway/access.ts";
import type { TreePaths } from "./answer-schema.ts";
import { askJudge } from "./ask.ts";
import type { Packet } from "./packet.ts";

export interface PanelQuestion {
  readonly rules: readonly JudgeRule[];
  readonly packetFor: (rule: JudgeRule) => Packet;
  /** One access for each judge; revoked here when the judge is done. */
  readonly grant: (rule: JudgeRule) => Promise<ModelAccess>;
  /** Paths of the change as the diff names them: of a rename the new one. */
  readonly changedPaths: readonly string[];
  readonly signal: AbortSignal;
  /** Of the judged tree; null where no gate ran. */
  readonly verification: Verification | null;
  readonly requiredGates: readonly string[];
  readonly number: number;
  readonly binding: Binding;
  /** All paths of the judged tree, or null where they are not known. */
  readonly treePaths?: TreePaths;
  readonly backOffSeconds?: number;
}

/**
 * Lets every judge whose `when` matches rule on the change, at the same time, and makes one round of it. Never rejects:
 * a judge that can not be started is an ERROR, never absent.
 */
export async function judgeChange(question: PanelQuestion): Promise<Round> {
  const asked = question.rules.filter((rule) => takesPart(rule, question.changedPaths));
  const answers = await Promise.all(asked.map((rule) => askOne(question, rule)));
  const judges = answers.map((answer) => answer.result);
  // What one judge was not shown another may have been; advice proves nothing.
  const seen = new Set(answers.flatMap(({ result, packet }) => (result.required ? (packet?.covered ?? []) : [])));
  const uncovered = question.changedPaths.filter((path) => !seen.has(path));
  const { verdict, reason } = provePass(panelVerdict(judges), {
    uncovered,
    verification: question.verification,
    requiredGates: question.requiredGates,
  });
  return { number: question.number, verdict, reason, binding: question.binding, judges, uncovered };
}

function takesPart(rule: JudgeRule, changedPaths: readonly string[]): boolean {
  if (rule.when.length === 0) return true;
  const matches = picomatch([...rule.when], { dot: true });
  return changedPaths.some((path) => matches(path));
}

interface Asked {
  readonly result: JudgeResult;
  readonly packet: Packet | null;
}

async function askOne(question: PanelQuestion, rule: JudgeRule): Promise<Asked> {
  let access: ModelAccess;
  let packet: Packet;
  try {
    packet = question.packetFor(rule);
    access = await question.grant(rule);
  } catch (error) {
    return { result: notStarted(rule, error), packet: null };
  }
  try {
    const result = await askJudge({
      rule,
      packet,
      access,
      signal: question.signal,
      paths: question.treePaths ?? null,
      ...(question.backOffSeconds === undefined ? {} : { backOffSeconds: question.backOffSeconds }),
    });
    return { result, packet };
  } finally {
    access.revoke();
  }
}

function notStarted(rule: JudgeRule, error: unknown): JudgeResult {
  return {
    name: rule.name,
    required: rule.required,
    model: rule.model,
    verdict: "ERROR",
    reason: `The judge could not be started: ${error instanceof Error ? error.message : String(error)}`,
    summary: "",
    evidence: "",
    requiredFixes: [],
    findings: [],
    calls: 0,
    seconds: 0,
  };
}
