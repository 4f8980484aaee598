/** The order of the test files: those that take longest begin, so that no worker is left alone with one of them at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Those that took more than ten seconds; the runner itself goes by the sizes of files where it has seen no run.
const longest = new Set(
  [
    "large/budgets",
    "e2e/worst-case",
    "worst-case/calls",
    "e2e/operations",
    "e2e/scenarios",
    "e2e/subscriptions",
    "e2e/commands",
    "e2e/diagnostics",
    "e2e/faults",
    "conformance/conformance",
    "e2e/build",
    "docs/contributing",
    "calls/csv-reports",
    "query/walls",
    "profiles/crossing",
    "e2e/command-line",
  ].map((name) => `test/${name}.test.ts`),
);
const isLong = ({ moduleId }: TestSpecification): boolean => longest.has(relative(".", moduleId).replaceAll("\\", "/"));

/** The runner's own order behind the files that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}
