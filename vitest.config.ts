import { defineConfig } from "vitest/config";
import { Counts } from "./test/counts.js";

const built = ["test/e2e/**/*.test.ts", "test/conformance/**/*.test.ts"];

export default defineConfig({
  test: {
    // One more than the cores of the usual machine: many of the tests that drive servers wait for them.
    maxWorkers: 3,
    reporters: ["default", new Counts()],
    // The files of a worker share its modules: loading the declarations anew for each took half of the time. So a test
    // restores what it changes, and no module may remember one test in the next.
    isolate: false,
    setupFiles: ["test/seed.ts"],
    projects: [
      {
        extends: true,
        test: { name: "source", include: ["test/**/*.test.ts"], exclude: built, testTimeout: 20_000 },
      },
      // These drive what a user runs, so they build it first.
      {
        extends: true,
        test: {
          name: "built",
          include: built,
          globalSetup: ["test/build.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
