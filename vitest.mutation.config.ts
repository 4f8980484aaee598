import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import type { TestSequencer, TestSpecification } from "vitest/node";

/** They try thousands of cases or load all declarations, so they run last: most changes are noticed before. */
const thorough = [
  "plan-model",
  "plan-asked",
  "previewed-as",
  "limits",
  "tiers",
  "destinations",
  "client",
  "path",
  "query",
];

const isThorough = ({ moduleId }: TestSpecification): boolean => thorough.includes(basename(moduleId, ".test.ts"));

class ThoroughLast implements TestSequencer {
  shard = (files: TestSpecification[]) => files;
  sort = (files: TestSpecification[]) =>
    files.toSorted((a, b) => Number(isThorough(a)) - Number(isThorough(b)) || a.moduleId.localeCompare(b.moduleId));
}

/** The fast tests of what is mutated; those that start processes would take hours. */
export default defineConfig({
  test: {
    include: [
      "test/guard/**/*.test.ts",
      "test/policy/**/*.test.ts",
      "test/calls/**/*.test.ts",
      "test/client/{sign,request}.test.ts",
      "test/client/mechanisms-*.test.ts",
      "test/property/{path,query}.test.ts",
      "test/wire/client.test.ts",
      "test/unit/{offer,secret,scrubbed,limits}.test.ts",
    ],
    // Processes, megabytes, and the laws that call every operation.
    exclude: [
      "test/system/plan-processes.test.ts",
      "test/calls/{batch,csv-reports,kept-results,other-shapes,property-change,restore,shown-times}.test.ts",
    ],
    runner: "test/stop-at-failure.ts",
    sequence: { sequencer: ThoroughLast },
    testTimeout: 40_000,
    isolate: false,
  },
});
