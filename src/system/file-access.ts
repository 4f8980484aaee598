/** Files and directories: who besides the user of this process can use or change one, and how one is made. */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure } from "../language/failure.js";

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

/** Who owns a file, and what its mode lets others do with it. */
export interface Access {
  /** Root can do anything anyway, so what it owns is open to nobody else for that reason. */
  readonly owner: "self" | "root" | "other";
  /** Whether others than the owner have any right to it. */
  readonly canUse: boolean;
  readonly canWrite: boolean;
}

const anyRight = 0o077;
const writing = 0o022;

/** On Windows, access control lists say who has access, and the bits of a mode are the same for nearly every file. */
export const isAccessKnown = (platform: NodeJS.Platform): boolean => platform !== "win32";

/** @returns Who has access to a file; undefined where the platform's modes do not say. */
export function accessTo({ mode, uid }: FileStatus, user: ProcessUser): Access | undefined {
  if (!isAccessKnown(user.platform)) return undefined;
  const isOwn = user.uid === undefined || uid === user.uid;
  return {
    owner: isOwn ? "self" : uid === 0 ? "root" : "other",
    canUse: (mode & anyRight) !== 0,
    canWrite: (mode & writing) !== 0,
  };
}

/** Whether a directory is no place for what this process relies on: another user owns it, root too, or can write to it. */
export function isOpenDirectory(found: FileStatus, user: ProcessUser): boolean {
  const access = accessTo(found, user);
  return access !== undefined && (access.owner !== "self" || access.canWrite);
}

/** A file that this process relies on, and what is wrong with one that others have access to. */
interface ReliedOn {
  readonly path: string;
  /** The file in a sentence: `the policy /etc/policy.yaml`. */
  readonly what: string;
  /** What nobody else may do with it. */
  readonly forbids: "writing" | "any use";
  /** Whether another user may own it, who can change it then: whoever set it up for this one. */
  readonly mayBelongToOthers?: boolean;
  /** What others could do with it. */
  readonly why: string;
  /** What chmod is to set: `go-w` for a file that others may read. */
  readonly chmod: "600" | "go-w";
  /** What else is to do. */
  readonly further?: string;
}

/** What closes a file to other users, as a person types it. */
export function howToClose(
  { path, chmod, mayBelongToOthers }: Pick<ReliedOn, "path" | "chmod" | "mayBelongToOthers">,
  found: FileStatus,
  user: ProcessUser,
): string {
  const isForeign = accessTo(found, user)?.owner === "other" && !mayBelongToOthers;
  return isForeign
    ? `It belongs to user ${found.uid}: run chown ${user.uid} ${path} and chmod ${chmod} ${path} as root, or use a copy of your own.`
    : `Run chmod ${chmod} ${path}.`;
}

/**
 * Refuses a file that other users can change, or one that they can use at all.
 * @throws Failure `bad_configuration` with what closes the file.
 */
export function refuseOpenFile(found: FileStatus, file: ReliedOn, user: ProcessUser): void {
  const access = accessTo(found, user);
  if (access === undefined) return;
  const isForeign = access.owner === "other" && !file.mayBelongToOthers;
  if (!isForeign && !(file.forbids === "writing" ? access.canWrite : access.canUse)) return;
  const can = file.forbids === "writing" ? "write to" : "read or write";
  const next = howToClose(file, found, user);
  throw new Failure("bad_configuration", `Other users can ${can} ${file.what}.`, {
    why: file.why,
    next: file.further === undefined ? next : `${next} ${file.further}`,
  });
}

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
