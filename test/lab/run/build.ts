/** Builds `dist/` once for the tests of what a user would run, where a run has such tests, while the other tests run. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { onceInRun } from "./once.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The file that says how the build ended, as soon as it has: the exit code. */
    readonly buildEnd: string;
  }
}

const drivesTheProgram = /[\\/]test[\\/]system[\\/]/;

/** @returns When the build has ended. */
function build(end: string): Promise<void> {
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/build.ts"], { stdio: "inherit" });
  return new Promise((resolve) => {
    child.once("exit", (code) => {
      writeFileSync(end, `${code}.`);
      resolve();
    });
  });
}

export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const { vitest } = project;
  const end = join(project.getProvidedContext().folder, "build-end");
  project.provide("buildEnd", end);
  if (!vitest.state.getPaths().some((path) => drivesTheProgram.test(path))) return undefined;
  const ended = onceInRun(vitest, "build", () => build(end));
  return () => ended;
}
