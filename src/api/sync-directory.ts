/** Puts the names that a directory has on the disk, where the platform lets a program do so. */
import { open } from "node:fs/promises";

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
