/** The stores of plans that the tests run against, and the plans that they are asked to keep. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Awaited, Binding, Shown } from "../../src/guard/plan.js";
import { directoryStorage } from "../../src/guard/plans/directory.js";
import { memoryStorage } from "../../src/guard/plans/memory.js";
import type { Storage } from "../../src/guard/plans/storage.js";

export const binding: Binding = { tool: "t", account: "a", owner: "p", requestHash: "r", stateHash: "s" };

export const shownTo = (awaits: Awaited): Shown => ({
  awaits,
  tier: "guarded",
  preview: {
    summary: "REMOVE 3 things",
    kind: "delete",
    account: "a",
    request: { method: "DELETE", path: "/things" },
    arguments: { id: 1 },
  },
});

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
