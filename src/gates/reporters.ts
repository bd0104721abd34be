/** How one kind of test runner tells what it ran. All patterns are for cleaned output. */
interface Reporter {
  readonly name: string;
  /** At least one test ran. */
  readonly ran: RegExp;
  /** No test ran: none was found, or all were skipped. */
  readonly nothing: RegExp;
}

const reporters: readonly Reporter[] = [
  { name: "node:test", ran: /^[ℹ#] (?:pass|fail) [1-9]/m, nothing: /^[ℹ#] pass 0$/m },
  { name: "TAP", ran: /^(?:not )?ok \d+(?!.*# (?:skip|todo))/im, nothing: /^(?:1\.\.0\b|ok \d+.*# skip)/im },
  {
    name: "vitest",
    ran: /^\s*Tests +.*\b[1-9]\d* (?:passed|failed)/m,
    nothing: /^(?:No test files found|\s*Tests +\d+ (?:skipped|todo)\b|\s*Tests +no tests)/m,
  },
  {
    name: "jest",
    ran: /^Tests: +.*\b[1-9]\d* (?:passed|failed)/m,
    nothing: /^(?:No tests found|Tests: +(?:\d+ (?:skipped|todo), )+\d+ total)/m,
  },
  { name: "mocha", ran: /^\s*[1-9]\d* (?:passing|failing)\b/m, nothing: /^\s*0 passing\b/m },
  {
    name: "pytest",
    ran: /^(?:=+ )?.*\b[1-9]\d* (?:passed|failed|xfailed|xpassed)\b.* in [\d.]+s/m,
    nothing: /^(?:=+ )?(?:no tests ran|\d+ (?:skipped|deselected)).* in [\d.]+s/m,
  },
  { name: "unittest", ran: /^Ran [1-9]\d* tests? in /m, nothing: /^(?:Ran 0 tests in |NO TESTS RAN)/m },
  {
    name: "cargo",
    ran: /^test result: .* [1-9]\d* passed|^test result: .* [1-9]\d* failed/m,
    nothing: /^test result: ok\. 0 passed; 0 failed/m,
  },
  {
    name: "go",
    ran: /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/m,
    nothing: /\[no test(?:s to run| files)\]$/m,
  },
  { name: "maven", ran: /Tests run: [1-9]/, nothing: /Tests run: 0,|No tests to run\./ },
  { name: "rspec", ran: /^[1-9]\d* examples?, /m, nothing: /^0 examples, /m },
  { name: "phpunit", ran: /^(?:OK \([1-9]|Tests: [1-9]\d*, Assertions)/m, nothing: /^No tests executed!/m },
];

/** pytest's own exit code for "no tests were collected". */
export const nothingCollectedExitCode = 5;

/**
 * The reporter that says that nothing was tested, or null. One that says that something ran outweighs all others: a
 * workspace with ten packages may have one without tests.
 */
export function findNothingRan(output: string): string | null {
  if (reporters.some((reporter) => reporter.ran.test(output))) return null;
  return reporters.find((reporter) => reporter.nothing.test(output))?.name ?? null;
}
