/** Directories: making one with those above it, with an end on every file system, and putting its names on the disk. */
import { mkdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Makes one directory. @returns false where the one above it is missing. */
function makeOne(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (isDirectory(path)) return true;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/**
 * Makes a directory and those above it that are missing; one that is there stays as it is.
 *
 * Node's own recursive way tries a directory again as long as the system calls the one above it missing. Below /proc it
 * says so of any directory, and that way never ends. Here each is tried twice.
 * @throws the system's error; ENOENT where the one above is there and the system still makes nothing in it.
 */
export function makeDirectory(path: string, mode?: number): void {
  const absolute = resolve(path);
  if (makeOne(absolute, mode)) return;
  const above = dirname(absolute);
  if (above !== absolute) makeDirectory(above, mode);
  if (makeOne(absolute, mode)) return;
  throw Object.assign(new Error(`No directory can be made at ${absolute}.`), { code: "ENOENT", syscall: "mkdir" });
}

/**
 * Has what was made in a directory, or removed from it, outlast a loss of power.
 * @throws the system's error.
 */
export async function syncDirectory(path: string, platform: NodeJS.Platform): Promise<void> {
  // Windows opens no directory as a file, and writes its entries with the files.
  if (platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
