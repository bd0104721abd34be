import { existsSync } from "node:fs";
import type { Command } from "commander";
import colors from "picocolors";
import type { Finding } from "./checks/finding.ts";
import type { Exit } from "./program.ts";

/** `gavel doctor`: whether this machine can do the work; each problem with its cure. Exit code 1 where there is one. */
export function addDoctor(parent: Command, exit: Exit): void {
  parent
    .command("doctor")
    .description("look whether this machine can do the work; each problem comes with its cure")
    .option("--env <file>", "file with settings, read like `npm start` does", ".env")
    .option("--json", "print the findings as JSON")
    .action(async (options: { env: string; json?: true }) => {
      // What is set outside the file wins, as it does at the start of the server.
      if (existsSync(options.env)) process.loadEnvFile(options.env);
      // Loaded only here: other commands start in a tenth of the time without database, engines and gateway.
      const { checks } = await import("./checks/table.ts");
      const findings: Finding[] = [];
      for (const check of Object.values(checks)) findings.push(...(await check(process.env)));
      const ok = findings.every(({ state }) => state === "ok");
      if (options.json === true) console.log(JSON.stringify({ ok, findings }, null, 2));
      else for (const line of findings.map(writeFinding)) console.log(line);
      exit(ok ? 0 : 1);
    });
}

function writeFinding({ check, state, message, cure }: Finding): string {
  const subject = check.padEnd(9);
  if (state === "ok") return `${colors.green("ok     ")}  ${subject}  ${message}`;
  return `${colors.red("problem")}  ${subject}  ${message}\n${" ".repeat(20)}→ ${cure}`;
}
