/** A reporter that leaves the number of tests behind for whoever ran them. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Writes `{ passed, failed, skipped }` to the cache folder when a run ends; a module that could not run is a failure. */
export class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state] += 1;
      }
    }
    mkdirSync(".cache", { recursive: true });
    writeFileSync(".cache/counts.json", JSON.stringify(counts));
  }
}
