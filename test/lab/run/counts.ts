/** A reporter that leaves the number of tests behind for whoever ran them, and says what was skipped for lack of what. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

const mostLines = 10;

/** What a test, or a group that it is in, needs. */
function needOf(test: TestCase): string | undefined {
  for (let at: TestCase | TestSuite | TestModule = test; at.type !== "module"; at = at.parent) {
    const { needs } = at.meta();
    if (needs !== undefined) return needs;
  }
  return undefined;
}

/** Writes `{ passed, failed, skipped }` to a file of the lane when a run ends; a module that could not run is a failure. */
export class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    const missing = new Map<string, number>();
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state] += 1;
        const need = state === "skipped" ? needOf(test) : undefined;
        if (need !== undefined) missing.set(need, (missing.get(need) ?? 0) + 1);
      }
    }
    mkdirSync(".cache/counts", { recursive: true });
    const lane = (process.env["npm_lifecycle_event"] ?? "test").replaceAll(":", "-");
    writeFileSync(`.cache/counts/${lane}.json`, JSON.stringify(counts));
    const lines = [...missing].sort((a, b) => b[1] - a[1]);
    for (const [need, count] of lines.slice(0, mostLines - 1))
      process.stdout.write(`Skipped, because this machine lacks ${need}: ${count}\n`);
    if (lines.length >= mostLines)
      process.stdout.write(
        `Skipped for lack of something else: ${lines
          .slice(mostLines - 1)
          .map(([need]) => need)
          .join(", ")}\n`,
      );
  }
}
