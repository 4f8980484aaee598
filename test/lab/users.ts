/** Users that a process could run as, for what asks who else has access to a file. */
import { chownSync } from "node:fs";
import { isAccessKnown, type ProcessUser } from "../../src/system/file-access.js";

/** Whether the platform that the tests run on keeps the mode that a file is given. */
export const hasModes = isAccessKnown(process.platform);

/** The mode that is seen of what was given one: Windows keeps no more of it than whether it can be written. */
export const keptMode = (mode: number): number => (hasModes ? mode : (mode & 0o200) !== 0 ? 0o666 : 0o444);

/** Where modes count, whatever the tests run on. */
export const onLinux: ProcessUser = { platform: "linux", uid: process.getuid?.() ?? 4243 };

/** Where every file looks as if all could read and write it, and belongs to no user. */
export const onWindows: ProcessUser = { platform: "win32", uid: undefined };

/** A user to whom a file belongs as little as to root; only root can give one away, and need not where it is not root's. */
export function strangerTo(path: string): ProcessUser {
  if (process.getuid?.() === 0) chownSync(path, 4242, 4242);
  return { platform: "linux", uid: 4243 };
}
