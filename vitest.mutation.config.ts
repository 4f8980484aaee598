import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import type { TestSequencer, TestSpecification } from "vitest/node";

/** They try thousands of cases or load all declarations, so they run last: most changes are noticed before. */
const thorough = ["plan-model", "plan-asked", "limits", "tiers", "destinations", "client", "path", "query"];

const isThorough = ({ moduleId }: TestSpecification): boolean => thorough.includes(basename(moduleId, ".test.ts"));

class ThoroughLast implements TestSequencer {
  shard = (files: TestSpecification[]) => files;
  sort = (files: TestSpecification[]) =>
    files.toSorted((a, b) => Number(isThorough(a)) - Number(isThorough(b)) || a.moduleId.localeCompare(b.moduleId));
}

/** The fast tests of what is mutated: those that start processes, or try one fact in thousands of ways, would take hours. */
export default defineConfig({
  test: {
    provide: { apis: "documents" },
    globalSetup: ["test/lab/run/folders.ts"],
    include: [
      "test/{adversary,answers,arguments,audit,guard,language,policy,results,rows,schema,secrets,time,wire}/**/*.test.ts",
      "test/calls/{approval,calls,draft,emulated,inner-calls}.test.ts",
      "test/workflows/composed.test.ts",
      "test/oracles/{wire/client,tiers}.test.ts",
    ],
    exclude: ["test/wire/once.test.ts", "test/adversary/{answers,calls,every-request}.test.ts", "**/*.today.test.ts"],
    runner: "test/lab/run/stop-at-failure.ts",
    sequence: { sequencer: ThoroughLast },
    testTimeout: 40_000,
    isolate: false,
  },
});
