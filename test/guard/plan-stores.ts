/** The stores of plans that the tests run against, and directories for them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryStorage } from "../../src/guard/plans/directory.js";
import type { Storage } from "../../src/guard/plans/storage.js";
import { memoryStorage } from "../../src/guard/plans/storage.js";

const directories: string[] = [];
/** A directory of its own, which `removeDirectories` removes. */
export function stateDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "edgewise-plans-"));
  directories.push(directory);
  return directory;
}
export const removeDirectories = (): void => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
};

export const stores: readonly (readonly [string, () => Storage])[] = [
  ["in memory", memoryStorage],
  ["in a directory", () => directoryStorage(stateDirectory())],
];
