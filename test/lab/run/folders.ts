/** One folder for all that the tests of a run write, which is removed after them. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { onceInRun } from "./once.js";

declare module "vitest" {
  interface ProvidedContext {
    readonly folder: string;
  }
}

const neededBytes = 2 ** 30;

/** Memory is as good a disk, and syncs at once, where there is enough of it. */
function place(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > neededBytes ? memory : tmpdir();
}

export default function setup({ vitest, provide }: TestProject): () => void {
  const folder = onceInRun(vitest, "folder", () => mkdtempSync(join(place(), "edgewise-test-")));
  provide("folder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
