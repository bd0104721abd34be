import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration } from "../src/duration.js";

test("says seconds", () => {
  assert.equal(formatDuration(0), "0s");
  assert.equal(formatDuration(42), "42s");
});

test("says minutes and seconds", () => {
  assert.equal(formatDuration(60), "1m");
  assert.equal(formatDuration(75), "1m 15s");
});
