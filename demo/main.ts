import { parseArgs } from "node:util";
import colors from "picocolors";
import { closestName } from "./names.ts";
import { play } from "./play.ts";
import { printResult } from "./print-result.ts";
import { scenarios } from "./scenarios/table.ts";

/** `npm run demo -- --scenario NAME`: the whole chain on real parts, on this machine alone. */
const usage = `Usage: npm run demo -- [options]

  --scenario NAME   one of: ${Object.keys(scenarios).join(", ")} (default: revise)
  --open            keep the local GitHub up afterwards, to look at it in a browser
  --live            call a real model (needs ANTHROPIC_API_KEY, and always the sandbox)
  --json            end with one line of JSON, and print nothing else on standard output
  --help            this text`;

const { values } = parseArgs({
  options: {
    scenario: { type: "string", default: "revise" },
    open: { type: "boolean", default: false },
    live: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  process.exitCode = await run();
}

async function run(): Promise<number> {
  const scenario = scenarios[values.scenario];
  if (scenario === undefined) {
    const near = closestName(values.scenario, Object.keys(scenarios));
    console.error(
      `There is no scenario "${values.scenario}"${near === null ? "" : `: did you mean "${near}"?`}\n\n${usage}`,
    );
    return 2;
  }
  if (values.live && (process.env["ANTHROPIC_API_KEY"] ?? "") === "") {
    console.error("--live calls a real model: set ANTHROPIC_API_KEY to your key and run the command again.");
    return 2;
  }
  const played = await play({
    name: values.scenario,
    scenario,
    liveKey: values.live ? (process.env["ANTHROPIC_API_KEY"] ?? null) : null,
    quiet: values.json,
  });
  try {
    if (values.json) console.log(JSON.stringify(played.result));
    else printResult(played);
    if (values.open) {
      console.error(`\n${colors.bold(played.url)} stays up until you press Ctrl+C.`);
      await new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      });
    }
  } finally {
    await played.close();
  }
  return played.result.outcome === "failed" ? 1 : 0;
}
