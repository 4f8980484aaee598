/** Builds `dist/` once before the tests of what a user would run, where there are such tests among those of a run. */
import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";

const drivesTheProgram = /[\\/]test[\\/]system[\\/]/;

export default function setup({ vitest }: TestProject): void {
  if (vitest.state.getPaths().some((path) => drivesTheProgram.test(path)))
    execFileSync(process.execPath, ["scripts/run.mjs", "scripts/build.ts"], { stdio: "inherit" });
}
