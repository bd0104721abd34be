import { describe, expect, it } from "vitest";
import { findNothingRan } from "../../src/gates/reporters.ts";

describe("nothing ran", () => {
  it.each([
    ["node:test", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0"],
    ["node:test", "# tests 2\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 2\n# todo 0"],
    ["TAP", "TAP version 13\n1..0"],
    ["TAP", "TAP version 13\nok 1 - a # SKIP\nok 2 - b # skip no reason\n1..2"],
    ["vitest", "No test files found, exiting with code 0"],
    ["vitest", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n   Start at  10:00:00"],
    ["jest", "No tests found, exiting with code 0"],
    ["jest", "Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total"],
    ["mocha", "\n  0 passing (2ms)\n"],
    ["pytest", "============ no tests ran in 0.01s ============"],
    ["pytest", "============ 3 skipped in 0.02s ============"],
    ["unittest", "\n----\nRan 0 tests in 0.000s\n\nOK"],
    [
      "cargo",
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    ],
    ["go", "?   \texample.test/a\t[no test files]\n?   \texample.test/b\t[no test files]"],
    ["go", "ok  \texample.test/a\t0.002s [no tests to run]"],
    ["maven", "[INFO] No tests to run."],
    ["rspec", "0 examples, 0 failures"],
    ["phpunit", "No tests executed!"],
  ])("%s", (name, output) => {
    expect(findNothingRan(output)).toBe(name);
  });
});

describe("something ran", () => {
  it.each([
    ["node:test", "ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ skipped 1"],
    ["node:test in one of two packages", "# tests 0\n# pass 0\n# fail 0\n# tests 3\n# pass 3\n# fail 0"],
    ["TAP", "TAP version 13\nok 1 - a # SKIP\nok 2 - b\n1..2"],
    ["vitest", " Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)"],
    ["jest", "Tests:       1 skipped, 2 passed, 3 total"],
    ["mocha", "  12 passing (2ms)\n  1 pending"],
    ["pytest", "====== 1 passed, 2 skipped in 0.02s ======"],
    ["pytest, short", "3 passed in 0.02s"],
    ["unittest", "Ran 4 tests in 0.001s\n\nOK"],
    [
      "cargo with an empty doc test",
      "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored",
    ],
    ["go in one of two packages", "?   \texample.test/a\t[no test files]\nok  \texample.test/b\t(cached)"],
    ["maven", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0"],
    ["rspec", "5 examples, 0 failures"],
    ["a linter", "All files are clean."],
    ["a program that speaks of tests", "This project has no tests found in docs.\nrunning 0 tests is bad"],
    ["silence", ""],
  ])("%s", (_, output) => {
    expect(findNothingRan(output)).toBeNull();
  });
});
