import { defineConfig } from "vitest/config";

/** Folders of tests without processes, files of their own, or anything global: they share their workers. */
const pure = ["test/{domain,text,config,commands,prompts}/**/*.test.ts"];

const shared = {
  // Far above what any test needs alone: a loaded machine must not fail one. What a test waits for has limits of its own.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    // Git, PostgreSQL, sandboxes and servers are real, and tests wait for them more than they compute.
    maxWorkers: 4,
    projects: [
      { test: { ...shared, name: "pure", include: pure, isolate: false } },
      { test: { ...shared, name: "real", include: ["test/**/*.test.ts"], exclude: pure } },
    ],
  },
});
