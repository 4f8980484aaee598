/** The order of the test files: those that take longest begin, so that no worker is left alone with one of them at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Those that took more than six seconds of the processor; the runner itself goes by the sizes of files where it has
// seen no run.
const longest = new Set(
  [
    "docs/contributing",
    "large/budgets",
    "worst-case/calls",
    "emulator/shared-ids",
    "e2e/scenarios",
    "contract/guards",
    "e2e/commands",
    "worst-case/every-request",
    "definitions/calls",
    "e2e/build",
    "e2e/worst-case",
    "contract/whole-names",
    "contract/listed-schemas",
    "calls/every-operation",
    "contract/open-bodies",
    "e2e/npm-package",
    "e2e/faults",
    "worst-case/answers",
    "calls/restore",
    "calls/csv-reports",
    "e2e/newcomer",
    "conformance/conformance",
    "e2e/diagnostics",
    "e2e/operations",
    "charts/pictures",
  ].map((name) => `test/${name}.test.ts`),
);
const isLong = ({ moduleId }: TestSpecification): boolean => longest.has(relative(".", moduleId).replaceAll("\\", "/"));

// A worker serves one project. If the files of two alternated, each change would end a worker and start one that loads
// the declarations anew. The smaller project begins, so that many short files are left for the end.
const isOfToday = ({ project }: TestSpecification): boolean => project.name === "today";

/** The runner's own order behind the files that are known to take longest, one project after the other. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(
      (a, b) => Number(isOfToday(b)) - Number(isOfToday(a)) || Number(isLong(b)) - Number(isLong(a)),
    );
  }
}
