import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Far above what any test needs alone: a loaded machine must not fail one. What a test waits for has limits of its own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Git, PostgreSQL and sandboxes are real: a few files at once is what two cores carry.
    maxWorkers: 3,
  },
});
