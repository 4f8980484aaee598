/** Folders and files of a test; the run removes all of them at its end. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** The path of a new, empty folder that its owner alone can enter. */
export const folder = (): string => mkdtempSync(join(inject("folder"), "folder-"));

/** The path of a new file in a folder of its own, which its owner alone can read. */
export function file(content: string | Uint8Array | object, { name = "file", mode = 0o600 } = {}): string {
  const path = join(folder(), name);
  const isText = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(path, isText ? content : JSON.stringify(content), { mode });
  return path;
}
