import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Git, PostgreSQL and sandboxes are real: a few files at once is what two cores carry.
    maxWorkers: 3,
  },
});
