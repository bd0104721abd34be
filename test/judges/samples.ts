import type { JudgeRule } from "../../src/config/rules.ts";
import type { Artifact } from "../../src/domain/artifact.ts";
import type { ChangedFile, Diff } from "../../src/domain/diff.ts";
import type { GateResult } from "../../src/domain/gate-result.ts";
import { loadRubrics } from "../../src/judges/load-rubrics.ts";
import type { PacketInput } from "../../src/judges/packet.ts";

export function fileOf(file: Partial<ChangedFile>): ChangedFile {
  return {
    path: "src/a.ts",
    oldPath: null,
    status: "modified",
    oldMode: "100644",
    newMode: "100644",
    blob: "b1",
    binary: false,
    added: 1,
    removed: 1,
    hunks: "@@ -1 +1 @@\n-old line\n+new line\n",
    ...file,
  };
}

export function diffOf(...files: readonly ChangedFile[]): Diff {
  return { baseTree: "base", headTree: "head", files, added: files.length, removed: files.length };
}

export function gateOf(gate: Partial<GateResult>): GateResult {
  return {
    name: "test",
    command: "npm test",
    state: "passed",
    reason: "It exited with 0.",
    exitCode: 0,
    seconds: 1,
    output: "",
    flaky: false,
    selfChanged: false,
    knownRed: false,
    ...gate,
  };
}

export function artifactOf(artifact: Partial<Artifact>): Artifact {
  return {
    summary: "Says hours",
    filesChanged: [],
    testsRun: [],
    expectedBehavior: "",
    edgeCases: [],
    risks: [],
    contested: [],
    question: null,
    ...artifact,
  };
}

export function packetInput(input: Partial<PacketInput>): PacketInput {
  return {
    label: "5f1c",
    rubrics: loadRubrics(["correctness"]),
    instructions: "",
    brief: { title: "Say hours", body: "An hour is shown as 60m.", instructions: "", author: "contributor", url: "" },
    diff: diffOf(fileOf({})),
    verification: null,
    artifact: null,
    earlierFindings: [],
    ignore: [],
    tokensMax: 100_000,
    ...input,
  };
}

export function judgeRule(rule: Partial<JudgeRule>): JudgeRule {
  return {
    name: "code",
    rubrics: ["correctness"],
    when: [],
    required: true,
    engine: "default",
    model: "default",
    instructions: "",
    timeoutMinutes: 1,
    ...rule,
  };
}
