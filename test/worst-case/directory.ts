/** A place for the thousands of plans that these tests make, each synced to disk: memory is as good a disk where there is one. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** The path of a new directory that is removed after the tests of the file that asks for it. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "edgewise-worst-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
