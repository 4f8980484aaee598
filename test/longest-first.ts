/** The order of the test files: those that take longest begin, so that no worker is left alone with one of them at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Those that took more than eight seconds of the processor; the runner itself goes by the sizes of files where it has
// seen no run.
const longest = new Set(
  [
    "worst-case/calls",
    "large/budgets",
    "e2e/commands",
    "e2e/scenarios",
    "conformance/conformance",
    "worst-case/answers",
    "worst-case/every-request",
    "emulator/shared-ids",
    "calls/csv-reports",
    "docs/contributing",
    "e2e/worst-case",
    "e2e/faults",
    "e2e/build",
    "emulator/authors",
    "calls/every-operation",
    "e2e/operations",
    "mcp/next-calls",
    "charts/pictures",
    "e2e/command-line",
    "e2e/subscriptions",
    "e2e/diagnostics",
    "profiles/crossing",
    "contract/guards",
  ].map((name) => `test/${name}.test.ts`),
);
const isLong = ({ moduleId }: TestSpecification): boolean => longest.has(relative(".", moduleId).replaceAll("\\", "/"));

/** The runner's own order behind the files that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}
