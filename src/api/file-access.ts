/** Who besides the user of this process can use a file or change it, and on which platforms a mode says so at all. */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "./failure.js";

/** What the system says of a file or a directory. */
export interface FileStatus {
  readonly mode: number;
  readonly uid: number;
}

/**
 * Reads a file and its status from one descriptor, so that what is checked is what was read.
 * @throws the system's error.
 */
export function readWithStatus(path: string): { readonly text: string; readonly status: FileStatus } {
  const file = openSync(path, "r");
  try {
    return { status: fstatSync(file), text: readFileSync(file, "utf8") };
  } finally {
    closeSync(file);
  }
}

/** The user that a process runs as, and the platform whose rules count. */
export interface ProcessUser {
  readonly platform: NodeJS.Platform;
  /** Undefined where the system does not number its users. */
  readonly uid: number | undefined;
}

export const processUser = (): ProcessUser => ({ platform: process.platform, uid: process.getuid?.() });

/** What other users can do. Root can do anything anyway, so what root owns is open to nobody else for that reason. */
export interface OthersAccess {
  /** Whether this process's user owns it, and not root either. */
  readonly isOwn: boolean;
  /** Whether another user has any right to it; whoever owns it can take every right. */
  readonly canUse: boolean;
  readonly canWrite: boolean;
}

const anyRight = 0o077;
const writing = 0o022;

/** On Windows, access control lists say who has access, and the bits of a mode are the same for nearly every file. */
export const isAccessKnown = (platform: NodeJS.Platform): boolean => platform !== "win32";

/** @returns What other users can do with a file; undefined where the platform's modes do not say. */
export function accessOfOthers({ mode, uid }: FileStatus, user: ProcessUser): OthersAccess | undefined {
  if (!isAccessKnown(user.platform)) return undefined;
  const isOwn = user.uid === undefined || uid === user.uid;
  const isForeign = !isOwn && uid !== 0;
  return { isOwn, canUse: isForeign || (mode & anyRight) !== 0, canWrite: isForeign || (mode & writing) !== 0 };
}

/** Whether a directory is no place for what this process relies on: another user owns it, root too, or can write to it. */
export function isOpenDirectory(found: FileStatus, user: ProcessUser): boolean {
  const access = accessOfOthers(found, user);
  return access !== undefined && (!access.isOwn || access.canWrite);
}

/** What chmod sets to close a file: `go-w` for one that others may read. */
type ClosingRights = "600" | "go-w";

/** What closes a file to other users, as a person types it. */
export function howToClose(path: string, { uid }: FileStatus, user: ProcessUser, rights: ClosingRights): string {
  const isForeign = user.uid !== undefined && uid !== user.uid && uid !== 0;
  return isForeign
    ? `It belongs to user ${uid}: run chown ${user.uid} ${path} and chmod ${rights} ${path} as root, or use a copy of your own.`
    : `Run chmod ${rights} ${path}.`;
}

/** A file that this process relies on. */
interface ReliedOn {
  readonly path: string;
  /** The file in a sentence: `the policy /etc/policy.yaml`. */
  readonly what: string;
  /** What others could do with it. */
  readonly why: string;
  /** What chmod is to set. */
  readonly chmod: ClosingRights;
  /** What else is to do. */
  readonly further?: string;
}

/**
 * Refuses a file that other users can change, or one that they can use at all.
 * @throws Failure `bad_configuration` with what closes the file.
 */
export function refuseOpenFile(
  found: FileStatus,
  to: "writing" | "any use",
  { path, what, why, chmod, further }: ReliedOn,
  user: ProcessUser,
): void {
  const access = accessOfOthers(found, user);
  const isClosed = to === "writing" ? !access?.canWrite : !access?.canUse;
  if (isClosed) return;
  const next = howToClose(path, found, user, chmod);
  throw new Failure(
    "bad_configuration",
    `Other users can ${to === "writing" ? "write to" : "read or write"} ${what}.`,
    {
      why,
      next: further === undefined ? next : `${next} ${further}`,
    },
  );
}
