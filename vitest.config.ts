import { defineConfig } from "vitest/config";
import { Counts } from "./test/counts.js";
import { LongestFirst } from "./test/longest-first.js";
import { compiledSources } from "./test/sources.js";

export default defineConfig({
  plugins: [compiledSources()],
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/sources.ts", "test/build.ts"],
    setupFiles: ["test/seed.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two more than the cores of the usual machine: the files that drive servers wait for two fifths of their time, and
    // several of them begin at once.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new Counts()],
    // The files of a worker share its modules: loading the declarations anew for each took half of the time. So a test
    // restores what it changes, and no module may remember one test in the next.
    isolate: false,
  },
});
