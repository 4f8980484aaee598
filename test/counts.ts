/** A reporter that leaves the number of tests behind for whoever ran them, and names the engines that were missing. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** The optional dependencies that cannot be loaded here. */
async function missingEngines(): Promise<string[]> {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { optionalDependencies: object };
  const names = Object.keys(optionalDependencies);
  const areMissing = await Promise.all(
    names.map((name) =>
      import(name).then(
        () => false,
        () => true,
      ),
    ),
  );
  return names.filter((_, at) => areMissing[at]);
}

/** Writes `{ passed, failed, skipped }` to the cache folder when a run ends; a module that could not run is a failure. */
export class Counts implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): Promise<void> {
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
    for (const name of await missingEngines())
      process.stdout.write(`${name} is not installed: the tests that need it were skipped.\n`);
  }
}
